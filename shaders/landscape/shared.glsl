// Numbers that the landscape's shaders share with C++, which reads this file too (render/landscape/frame_block.hpp).

const float pi = 3.14159265;
const float sunken = 40.0;  // far outside, the land is this many metres below the sea and all ground
const int most_cascades = 4;
// The field of clouds: metres along each side of its map, and its greatest slope, 1/m.
const float cloud_field_extent = 36000.0, cloud_field_slope = 0.0025;

// Texture units, the same in all shaders.
const int transmittance_unit = 0, sky_view_unit = 1, noise_map_unit = 2, cloud_noise_unit = 3, shadow_map_unit = 4,
          heights_unit = 5, hill_shadow_unit = 6, slopes_unit = 7, material_colour_unit = 8, material_normal_unit = 9,
          refraction_unit = 10, refraction_depth_unit = 11, reflection_unit = 12, ripples_unit = 13,
          leaf_shapes_unit = 14, impostor_colour_unit = 15, impostor_normal_unit = 16, clouds_unit = 17,
          smoke_field_unit = 18, smoke_shade_unit = 19, cloud_field_unit = 20,
          units = 21;
// These share the numbers of the water's units: they are used in passes that draw no water.
const int drawn_depth_unit = 10, drawn_albedo_unit = 11, drawn_normal_unit = 12;

// Uniform blocks, and storage that several passes read.
const int frame_binding = 0, view_binding = 1, light_binding = 2, uniform_bindings = 3;
const int instances_binding = 0, shapes_binding = 1, lists_binding = 2, vertices_binding = 2, commands_binding = 3,
          indices_binding = 3, sways_binding = 4, batches_binding = 5, samples_binding = 6, outlines_binding = 6, tiles_binding = 7,
          storage_bindings = 8;
