// The index of this thread; Shader::dispatch may have laid out the groups in several rows.
uint thread_index() {
  return gl_WorkGroupID.y * gl_NumWorkGroups.x * gl_WorkGroupSize.x + gl_GlobalInvocationID.x;
}
