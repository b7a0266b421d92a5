// The landscape over an executor: grow() makes what does not move, start() begins smoke and butterflies, an iteration
// moves them, and write_buffers() finds the smoke's surface at that moment. The rest is in landscape_results.hpp.
#pragma once

#include <any>
#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "kinescope/executors/functors.hpp"
#include "kinescope/landscape/landscape_parameters.hpp"
#include "kinescope/shell.hpp"
#include "sim/landscape/butterflies.hpp"
#include "sim/landscape/cabin.hpp"
#include "sim/landscape/mesh_files.hpp"
#include "sim/landscape/plants/placement.hpp"
#include "sim/landscape/plants/plant_files.hpp"
#include "sim/landscape/plants/plant_mesh.hpp"
#include "sim/landscape/plants/variants.hpp"
#include "sim/landscape/smoke/smoke_particles.hpp"
#include "sim/landscape/smoke/smoke_surface.hpp"
#include "sim/landscape/terrain/terrain.hpp"

namespace kinescope::sim::landscape {

struct CopyLiving {
  const SmokeState* state;
  std::uint32_t* draw;
  KINESCOPE_HD void operator()() const { draw[6] = static_cast<std::uint32_t>(state->living); }
};

// Samples the field at the nodes of a coarser grid over the same cube, by trilinear interpolation.
struct SampleField {
  const float* from;
  float* to;
  std::int32_t nodes, width;

  KINESCOPE_HD void operator()(std::int64_t i) const {
    const float scale = static_cast<float>(nodes - 1) / static_cast<float>(width - 1);
    const std::int32_t at[3] = {static_cast<std::int32_t>(i % width), static_cast<std::int32_t>(i / width % width),
                                static_cast<std::int32_t>(i / width / width)};
    std::int64_t base[3];
    float part[3];
    for (int c = 0; c < 3; ++c) {
      const float place = static_cast<float>(at[c]) * scale;
      const std::int32_t low = clamp_index(static_cast<std::int32_t>(place), nodes - 2);
      base[c] = low;
      part[c] = place - static_cast<float>(low);
    }
    float sum = 0;
    for (int c = 0; c < 8; ++c) {
      const std::int64_t node = ((base[2] + (c >> 2)) * nodes + base[1] + (c >> 1 & 1)) * nodes + base[0] + (c & 1);
      const float weight =
          (c & 1 ? part[0] : 1 - part[0]) * (c & 2 ? part[1] : 1 - part[1]) * (c & 4 ? part[2] : 1 - part[2]);
      if (weight > 0) sum += weight * from[node];
    }
    to[i] = sum;
  }
};

template <Executor E>
class LandscapeSimulation : public Shell<E, LandscapeParameters> {
  using Base = Shell<E, LandscapeParameters>;
  using Base::setup_, Base::parameters_, Base::executor_, Base::stepper_;

 public:
  LandscapeSimulation(const Setup& setup, LandscapeParameters& parameters)
      : Base(landscape_kind(), setup, parameters, history_capacity) {
    plants_ = std::make_shared<const PlantMeshes>(PlantMeshes{make_plants(load_plants(), setup_.seed)});
    cabin_ = std::make_shared<const Mesh>(make_cabin());
    live_ = Array<Live, E>(executor_, 1);
    particles_ = Array<Particle, E>(executor_, smoke_capacity);
    executor_.for_each("clear", smoke_capacity,
                       Fill<Particle>{particles_.data(), {}});  // unborn particles are read too
    balls_ = Array<Ball, E>(executor_, smoke_capacity);
    smoke_state_ = Array<SmokeState, E>(executor_, 1);
    butterflies_ = Array<Butterfly, E>(executor_, 2 * most_butterflies);
    room_ = static_cast<int>(parameters_.smoke_grid.value());
    grow();
    Base::begin();
  }

  void receive(const std::any& input) override;
  Table result() override;
  double bytes_of(const std::string& output, const std::string& path) const override;
  bool write(const std::string& output, const std::string& path) override;
  Report report() override;

 private:
  static constexpr std::size_t history_capacity = 1 << 16;

  Live live() const;
  void grow();  // makes what does not move
  void place_plants(const CoarseTerrain& coarse);
  void find_trunks();
  void create_buffers(BufferSource& source) override;
  void write_buffers() override;
  void describe(const RunState&, Snapshot& snapshot) const override {
    snapshot.add(terrain_);
    snapshot.add(plants_);
    snapshot.add(Cabin{cabin_place_, cabin_});
    snapshot.add(SmokePlace{{flow_.corner[0], flow_.corner[1], flow_.corner[2]}, smoke_cube_side, smoke_grid_});
  }
  void change(const LandscapeParameters& before) override;
  void start() override;
  void raise_smoke();
  void iterate(std::int32_t) override;
  void make_surface();
  FlyButterflies fly(bool begin) const;
  void find_surface(const SurfaceMemory& to);
  std::int64_t trees() const { return static_cast<std::int64_t>(parameters_.trees.value()); }
  Mesh terrain_mesh() const;
  Mesh water_mesh() const;
  OwnSurface<E> own_surface();  // the smoke's, at this moment
  Mesh smoke_mesh();
  Mesh plants_mesh() const;
  template <class F>
  void each_plant_part(F&& f) const;  // calls f(const Mesh&, const float* row of the instance)
  MeshSize plants_size() const;
  Mesh placed_cabin() const;
  Mesh butterflies_mesh();

  std::optional<TerrainField<E>> field_;
  std::shared_ptr<const TerrainGrid> terrain_;
  std::shared_ptr<const PlantMeshes> plants_;
  std::shared_ptr<const Mesh> cabin_;
  CabinPlace cabin_place_;
  Array<float, E> instances_;  // [trees × 8]
  Array<Trunk, E> trunks_;
  Array<std::int32_t, E> trunk_first_;
  Array<Live, E> live_;
  SmokeFlow flow_;
  Array<Particle, E> particles_;
  Array<Ball, E> balls_;
  Array<SmokeState, E> smoke_state_;
  std::optional<SmokeSurface<E>> surface_;
  int smoke_grid_ = 0;
  int room_ = 0;  // the smoke_grid that the buffers were made for
  Array<Butterfly, E> butterflies_;
  Outlet<float> heights_out_, plants_out_, positions_out_, normals_out_, field_out_, butterflies_out_;
  Outlet<std::uint32_t> indices_out_, draw_out_;
};

template <Executor E>
Live LandscapeSimulation<E>::live() const {
  const double from = parameters_.wind_direction.value() * 0.017453292519943295, speed = parameters_.wind_speed.value();
  Live live;
  live.duration = parameters_.duration.value();
  live.smoke_rate = static_cast<float>(parameters_.smoke_rate.value());
  live.smoke_radius = static_cast<float>(parameters_.smoke_radius.value());
  live.wind_x = static_cast<float>(-speed * std::sin(from));
  live.wind_y = static_cast<float>(-speed * std::cos(from));
  live.sea_level = static_cast<float>(parameters_.sea_level.value());
  live.butterflies = parameters_.butterflies.value();
  return live;
}

template <Executor E>
void LandscapeSimulation<E>::grow() {
  const TerrainSettings settings{setup_.seed, static_cast<int>(parameters_.terrain_size.value()),
                                 static_cast<float>(parameters_.roughness.value()),
                                 static_cast<float>(parameters_.relief.value()), parameters_.shape.value()};
  field_.emplace(executor_, settings);
  field_->generate();
  const int stride = std::max(1, (field_->size() - 1) / 256), width = (field_->size() - 1) / stride + 1;
  const float sea = static_cast<float>(parameters_.sea_level.value());
  const CoarseTerrain coarse =
      make_coarse_terrain(field_->sampled(stride), width, field_->spacing() * float(stride), sea);
  const CabinSite site = choose_site(coarse, sea, setup_.seed);
  const float level = std::max(9.0f, 1.5f * field_->spacing());
  field_->level_spot(site.x, site.y, level, 2.6f * level, site.floor - 0.05f);
  cabin_place_ = place_cabin(site);
  flow_ = make_flow(setup_.seed, cabin_place_.chimney_mouth);
  const HeightRange range = field_->range();
  terrain_ = std::make_shared<const TerrainGrid>(
      TerrainGrid{field_->size(), field_->spacing(), terrain_side, range.low, range.high, setup_.seed});
  place_plants(coarse);
  make_surface();
}

template <Executor E>
void LandscapeSimulation<E>::place_plants(const CoarseTerrain& coarse) {
  instances_ = Array<float, E>(executor_, static_cast<std::size_t>(std::max<std::int64_t>(trees(), 1)) * 8);
  if (trees() == 0) instances_.upload(std::vector<float>(8));
  const Array<float, E> shore(executor_, std::span<const float>(coarse.shore));
  executor_.for_each(
      "plants", trees(),
      PlacePlants{field_->terrain_heights(), shore.data(), coarse.width,
                  static_cast<float>(parameters_.sea_level.value()), static_cast<float>(parameters_.relief.value()),
                  cabin_place_.position.x, cabin_place_.position.y, setup_.seed, instances_.data()});
  executor_.wait();
  std::vector<float> instances = instances_.download();
  vary_neighbours(instances, plant_variants);
  instances_.upload(instances);
  find_trunks();
}

// Collects the trees that butterflies can meet.
template <Executor E>
void LandscapeSimulation<E>::find_trunks() {
  const std::vector<float> instances = instances_.download();
  std::vector<std::vector<Trunk>> cells(TrunkGrid::cells * TrunkGrid::cells);
  const Obstacles place = fly(false).obstacles;
  for (std::size_t i = 0; i < static_cast<std::size_t>(trees()); ++i) {
    const float* row = instances.data() + 8 * i;
    const int mesh = static_cast<int>(row[5]);
    if (row[4] == 0 || !is_tree(mesh / plant_variants)) continue;
    if (std::fabs(row[0] - place.middle[0]) > butterfly_range || std::fabs(row[1] - place.middle[1]) > butterfly_range)
      continue;
    const PlantMesh& plant = plants_->meshes[static_cast<std::size_t>(mesh)];
    cells[static_cast<std::size_t>(place.trunk_cell(row[1], 1) * TrunkGrid::cells + place.trunk_cell(row[0], 0))]
        .push_back({row[0], row[1], plant.trunk_radius * row[4], row[2] + plant.height * row[4]});
  }
  std::vector<Trunk> trunks;
  std::vector<std::int32_t> first{0};
  for (const auto& cell : cells) {
    trunks.insert(trunks.end(), cell.begin(), cell.end());
    first.push_back(static_cast<std::int32_t>(trunks.size()));
  }
  trunks.push_back({});  // so that the array is never empty
  // Recorded launches keep the address, so an array of the same length is overwritten in place.
  if (trunks_.size() == trunks.size())
    trunks_.upload(std::span<const Trunk>(trunks));
  else
    trunks_ = Array<Trunk, E>(executor_, std::span<const Trunk>(trunks));
  if (trunk_first_.size() != first.size())
    trunk_first_ = Array<std::int32_t, E>(executor_, std::span<const std::int32_t>(first));
  else
    trunk_first_.upload(std::span<const std::int32_t>(first));
}

template <Executor E>
void LandscapeSimulation<E>::receive(const std::any& input) {
  const auto* change = std::any_cast<PlantChange>(&input);
  if (!change) return;
  auto plants = std::make_shared<PlantMeshes>(*plants_);
  for (std::uint32_t variant = 0; variant < plant_variants; ++variant)
    plants->meshes.at(change->kind * plant_variants + variant) =
        make_variant(change->grammar, change->kind, setup_.seed, variant);
  stepper_.wait();
  plants_ = std::move(plants);
  find_trunks();
  Base::show_present();
}

template <Executor E>
void LandscapeSimulation<E>::make_surface() {
  const int grid = static_cast<int>(parameters_.smoke_grid.value());
  surface_.reset();
  surface_.emplace(executor_, make_grid(flow_.corner, smoke_cube_side, grid));
  smoke_grid_ = grid;
}

template <Executor E>
FlyButterflies LandscapeSimulation<E>::fly(bool begin) const {
  Obstacles obstacles;
  obstacles.terrain = field_->terrain_heights();
  obstacles.trunks = {trunks_.data(), trunk_first_.data()};
  for (int c = 0; c < 3; ++c) {
    obstacles.cabin[c] = cabin_place_.position[c];
    obstacles.half[c] = cabin_place_.half_sizes[c];
  }
  obstacles.cosine = std::cos(cabin_place_.yaw);
  obstacles.sine = std::sin(cabin_place_.yaw);
  obstacles.middle[0] = cabin_place_.position.x;
  obstacles.middle[1] = cabin_place_.position.y;
  return {obstacles,
          setup_.seed,
          const_cast<Stepper<E>&>(stepper_).state(),
          live_.data(),
          const_cast<Butterfly*>(butterflies_.data()),
          begin};
}

template <Executor E>
void LandscapeSimulation<E>::start() {
  const Live values = live();
  live_.upload(std::span(&values, 1));
  RunState run;
  run.figure = NAN;
  stepper_.reset(run);
  raise_smoke();
  executor_.for_each("butterflies", most_butterflies, fly(true));
  executor_.wait();
}

// Fills the plume: a run begins with smoke that has already risen.
template <Executor E>
void LandscapeSimulation<E>::raise_smoke() {
  const RisenSmoke risen(parameters_.smoke_rate.value());
  SmokeState state;
  EndRaising{risen, &state}({});
  smoke_state_.upload(std::span(&state, 1));
  if (risen.particles() == 0) return;
  executor_.reduce("raise smoke", risen.particles(), LivingSmoke{},
                   RaiseSmoke{{flow_, setup_.seed, live_.data()}, risen, particles_.data()},
                   EndRaising{risen, smoke_state_.data()});
}

template <Executor E>
void LandscapeSimulation<E>::iterate(std::int32_t) {
  executor_.for_each("butterflies", Extent(most_butterflies, &live_.data()->butterflies), fly(false));
  const SmokeState* state = smoke_state_.data();
  executor_.reduce(
      "smoke", Extent(smoke_capacity, &state->span), LivingSmoke{},
      MoveSmoke{{flow_, setup_.seed, live_.data()}, stepper_.state(), state, particles_.data()},
      EndSmoke{stepper_.state(), stepper_.history(), stepper_.capacity(), smoke_state_.data(), live_.data()});
}

template <Executor E>
void LandscapeSimulation<E>::change(const LandscapeParameters& before) {
  stepper_.wait();
  if (parameters_.smoke_grid != before.smoke_grid) make_surface();
  const Live values = live();
  live_.upload(std::span(&values, 1));
  if (parameters_.duration == before.duration) return;
  RunState run = stepper_.seen();
  run.converged = 0;
  Base::go_on(run);
}

template <Executor E>
void LandscapeSimulation<E>::find_surface(const SurfaceMemory& to) {
  const SmokeState* state = smoke_state_.data();
  const Extent balls(smoke_capacity, &state->span);
  executor_.for_each("balls", balls,
                     MakeBalls{flow_, stepper_.state(), state, live_.data(), particles_.data(), balls_.data()});
  surface_->sum(balls_.data(), balls, static_cast<float>(parameters_.smoke_radius.value()) * largest_growth, smoke_iso);
  surface_->extract(smoke_iso, to);
}

template <Executor E>
void LandscapeSimulation<E>::create_buffers(BufferSource& source) {
  const auto grid = static_cast<std::size_t>(room_);
  heights_out_.create(source, published::heights, field_->nodes());
  plants_out_.create(source, published::plants, instances_.size());
  positions_out_.create(source, published::smoke_positions, 3 * smoke_vertex_capacity(grid));
  normals_out_.create(source, published::smoke_normals, 3 * smoke_vertex_capacity(grid));
  indices_out_.create(source, published::smoke_indices, smoke_index_capacity(grid));
  draw_out_.create(source, published::smoke_draw, 8);
  constexpr std::size_t side = largest_field_grid;
  field_out_.create(source, published::smoke_field, side * side * side);
  butterflies_out_.create(source, published::butterflies, most_butterflies * 8);
}

template <Executor E>
void LandscapeSimulation<E>::write_buffers() {
  executor_.for_each("publish heights", static_cast<std::int64_t>(field_->nodes()),
                     Copy<float>{field_->data(), heights_out_.address()});
  executor_.for_each("publish plants", static_cast<std::int64_t>(instances_.size()),
                     Copy<float>{instances_.data(), plants_out_.address()});
  const auto grid = static_cast<std::size_t>(room_);
  const SurfaceMemory to{positions_out_.address(),
                         normals_out_.address(),
                         indices_out_.address(),
                         draw_out_.address(),
                         static_cast<std::uint32_t>(smoke_vertex_capacity(grid)),
                         static_cast<std::uint32_t>(smoke_index_capacity(grid))};
  find_surface(to);
  executor_.once("publish living", CopyLiving{smoke_state_.data(), to.draw});
  const std::int32_t width = field_grid(smoke_grid_);
  const std::int64_t field_nodes = std::int64_t{width} * width * width;
  if (width == smoke_grid_)
    executor_.for_each("publish field", field_nodes, Copy<float>{surface_->values(), field_out_.address()});
  else
    executor_.for_each("publish field", field_nodes,
                       SampleField{surface_->values(), field_out_.address(), smoke_grid_, width});
  executor_.for_each(
      "publish butterflies", most_butterflies,
      PublishButterflies{stepper_.state(), live_.data(), butterflies_.data(), butterflies_out_.address()});
}

}  // namespace kinescope::sim::landscape
