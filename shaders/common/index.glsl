// The number of this thread where Shader::dispatch has laid groups out in rows.
uint thread_index() {
  return gl_WorkGroupID.y * gl_NumWorkGroups.x * gl_WorkGroupSize.x + gl_GlobalInvocationID.x;
}
