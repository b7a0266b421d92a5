// The results of a landscape: tables, meshes, files. A part of landscape_simulation.hpp, which includes it.
#pragma once

#include <glm/geometric.hpp>

#include "kinescope/data/table_writer.hpp"
#include "kinescope/executors/executor.hpp"
#include "sim/landscape/landscape_simulation.hpp"

namespace kinescope::sim::landscape {

inline constexpr glm::vec3 terrain_colour{0.18f, 0.24f, 0.09f}, water_colour{0.02f, 0.12f, 0.17f}, smoke_colour{0.7f};
inline constexpr glm::vec3 butterfly_colours[3] = {{0.9f, 0.32f, 0.02f}, {0.05f, 0.3f, 0.9f}, {0.92f, 0.92f, 0.86f}};

inline void append(Mesh& to, const Mesh& part, glm::vec3 at, float yaw, float scale, const Stance& stance = {0, 0, 1}) {
  const auto first = static_cast<std::uint32_t>(to.positions.size());
  const float c = std::cos(yaw), s = std::sin(yaw), lean_x = stance.lean_x, lean_y = stance.lean_y,
              width = stance.width;
  const auto turned = [&](glm::vec3 v) { return glm::vec3(c * v.x - s * v.y, s * v.x + c * v.y, v.z); };
  for (const glm::vec3& p : part.positions) {
    const glm::vec3 v = scale * turned(p);
    to.positions.push_back(at + glm::vec3(width * v.x + lean_x * v.z, width * v.y + lean_y * v.z, v.z));
  }
  for (const glm::vec3& n : part.normals) {
    const glm::vec3 v = turned(n);
    const float x = v.x / width, y = v.y / width;
    to.normals.push_back(glm::normalize(glm::vec3(x, y, v.z - lean_x * x - lean_y * y)));
  }
  to.colours.insert(to.colours.end(), part.colours.begin(), part.colours.end());
  for (const std::uint32_t index : part.indices) to.indices.push_back(first + index);
}

// The butterflies' states, one row each.
template <Executor E>
Table LandscapeSimulation<E>::result() {
  Base::finish();
  Array<float, E> published(executor_, most_butterflies * 8);
  executor_.for_each("butterflies", most_butterflies,
                     PublishButterflies{stepper_.state(), live_.data(), butterflies_.data(), published.data()});
  const std::vector<float> rows = published.download();
  static constexpr const char* names[] = {"x", "y", "z", "heading", "pitch", "wing", "look", "size"};
  Table table;
  table.source = "landscape";
  table.rows = static_cast<std::size_t>(parameters_.butterflies.value());
  for (std::size_t c = 0; c < 8; ++c) {
    Column column{names[c]};
    for (std::size_t i = 0; i < table.rows; ++i) column.numbers.push_back(rows[8 * i + c]);
    table.columns.push_back(std::move(column));
  }
  return table;
}

template <Executor E>
Mesh LandscapeSimulation<E>::terrain_mesh() const {
  const std::vector<float> heights = field_->heights();
  const std::vector<std::uint32_t> normals = field_->normals();
  const auto size = static_cast<std::uint32_t>(field_->size());
  Mesh mesh;
  mesh.indices.reserve(std::size_t{6} * (size - 1) * (size - 1));
  for (std::uint32_t y = 0; y < size; ++y)
    for (std::uint32_t x = 0; x < size; ++x) {
      const std::uint32_t i = y * size + x;
      mesh.positions.emplace_back(float(x) * field_->spacing(), float(y) * field_->spacing(), heights[i]);
      const Normal normal = unpack_normal(normals[i]);
      mesh.normals.emplace_back(normal.x, normal.y, normal.z);
      if (x + 1 < size && y + 1 < size)
        mesh.indices.insert(mesh.indices.end(), {i, i + 1, i + size + 1, i, i + size + 1, i + size});
    }
  mesh.colours.assign(mesh.positions.size(), terrain_colour);
  return mesh;
}

template <Executor E>
Mesh LandscapeSimulation<E>::water_mesh() const {
  const float z = static_cast<float>(parameters_.sea_level.value());
  Mesh mesh;
  mesh.positions = {{0, 0, z}, {terrain_side, 0, z}, {terrain_side, terrain_side, z}, {0, terrain_side, z}};
  mesh.normals.assign(4, {0, 0, 1});
  mesh.colours.assign(4, water_colour);
  mesh.indices = {0, 1, 2, 0, 2, 3};
  return mesh;
}

template <Executor E>
OwnSurface<E> LandscapeSimulation<E>::own_surface() {
  OwnSurface<E> own(executor_, smoke_vertex_capacity(static_cast<std::size_t>(smoke_grid_)));
  find_surface(own.view());
  return own;
}

template <Executor E>
Mesh LandscapeSimulation<E>::smoke_mesh() {
  SurfaceData surface = own_surface().download();
  Mesh mesh;
  for (const float* p = surface.positions.data(); mesh.positions.size() < surface.positions.size() / 3; p += 3)
    mesh.positions.emplace_back(p[0], p[1], p[2]);
  for (const float* n = surface.normals.data(); mesh.normals.size() < mesh.positions.size(); n += 3)
    mesh.normals.emplace_back(n[0], n[1], n[2]);
  mesh.colours.assign(mesh.positions.size(), smoke_colour);
  mesh.indices = std::move(surface.indices);
  return mesh;
}

template <Executor E>
template <class F>
void LandscapeSimulation<E>::each_plant_part(F&& f) const {
  const std::vector<float> instances = instances_.download();
  for (std::size_t i = 0; i < static_cast<std::size_t>(trees()); ++i) {
    const float* row = instances.data() + 8 * i;
    if (row[4] == 0) continue;
    const PlantMesh& plant = plants_->meshes[static_cast<std::size_t>(row[5])];
    for (const Mesh* part : plant.parts()) f(*part, row);
  }
}

template <Executor E>
MeshSize LandscapeSimulation<E>::plants_size() const {
  MeshSize size;
  each_plant_part([&](const Mesh& part, const float*) {
    size.vertices += part.positions.size();
    size.triangles += part.triangles();
  });
  return size;
}

template <Executor E>
Mesh LandscapeSimulation<E>::plants_mesh() const {
  const MeshSize size = plants_size();
  if (size.vertices > 200'000'000) throw run_error("the plants have more than 200,000,000 vertices: try fewer trees");
  Mesh mesh;
  for (std::vector<glm::vec3>* list : {&mesh.positions, &mesh.normals, &mesh.colours}) list->reserve(size.vertices);
  mesh.indices.reserve(3 * size.triangles);
  each_plant_part([&](const Mesh& part, const float* row) {
    append(mesh, part, {row[0], row[1], row[2]}, row[3], row[4], stance_of(row[7]));
  });
  return mesh;
}

template <Executor E>
Mesh LandscapeSimulation<E>::placed_cabin() const {
  Mesh mesh;
  append(mesh, *cabin_, cabin_place_.position, cabin_place_.yaw, 1);
  return mesh;
}

// Two wings for each butterfly, in their present state.
template <Executor E>
Mesh LandscapeSimulation<E>::butterflies_mesh() {
  const Table table = result();
  Mesh mesh;
  for (std::size_t i = 0; i < table.rows; ++i) {
    const auto value = [&](std::size_t c) { return static_cast<float>(table.columns[c].numbers[i]); };
    const glm::vec3 at(value(0), value(1), value(2));
    const float cp = std::cos(value(4)), sp = std::sin(value(4)), ch = std::cos(value(3)), sh = std::sin(value(3));
    const glm::vec3 ahead(cp * ch, cp * sh, sp), aside(-sh, ch, 0), up = glm::cross(ahead, aside);
    for (const float side : {1.0f, -1.0f}) {
      const glm::vec3 out = side * std::cos(value(5)) * aside + std::sin(value(5)) * up;
      const glm::vec3 normal = glm::normalize(side * glm::cross(ahead, out));
      const auto first = static_cast<std::uint32_t>(mesh.positions.size());
      const float half = 0.5f * value(7);
      mesh.positions.insert(mesh.positions.end(),
                            {at - half * ahead, at + half * ahead, at + half * (1.2f * ahead + 1.6f * out),
                             at + half * (1.4f * out - 0.8f * ahead)});
      mesh.normals.insert(mesh.normals.end(), 4, normal);
      mesh.colours.insert(mesh.colours.end(), 4, butterfly_colours[static_cast<std::size_t>(value(6))]);
      mesh.indices.insert(mesh.indices.end(), {first, first + 1, first + 2, first, first + 2, first + 3});
    }
  }
  return mesh;
}

template <Executor E>
double LandscapeSimulation<E>::bytes_of(const std::string&, const std::string& path) const {
  if (find_table_writer(path)) return 0;
  MeshSize size = plants_size();
  const auto nodes = static_cast<std::size_t>(field_->size());
  size.vertices += nodes * nodes;
  size.triangles += 2 * (nodes - 1) * (nodes - 1);
  return mesh_file_bytes(path, size);
}

template <Executor E>
bool LandscapeSimulation<E>::write(const std::string& output, const std::string& path) {
  if (output != "out" || find_table_writer(path)) return false;
  Base::finish();
  write_meshes(path, {{"terrain", terrain_mesh()},
                      {"water", water_mesh()},
                      {"smoke", smoke_mesh()},
                      {"plants", plants_mesh()},
                      {"cabin", placed_cabin()},
                      {"butterflies", butterflies_mesh()}});
  return true;
}

template <Executor E>
Report LandscapeSimulation<E>::report() {
  Report report;
  report.add("time", static_cast<double>(stepper_.seen().iteration) * step_seconds);
  report.add("particles", static_cast<std::int64_t>(stepper_.seen().points));
  report.add("smoke_triangles", static_cast<std::int64_t>(own_surface().triangles()));
  report.add("lowest", static_cast<double>(terrain_->low));
  report.add("highest", static_cast<double>(terrain_->high));
  return report;
}

}  // namespace kinescope::sim::landscape
