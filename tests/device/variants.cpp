#include "tests/device/variants.hpp"

namespace kinescope::tests {
namespace {

using Words = std::vector<std::string>;

// Turns "a=b c=d" into --set arguments. An option (a word that begins with a dash) and the value after it are kept.
Words settings(const std::string& text) {
  Words words;
  std::string word;
  bool value_follows = false;
  for (const char c : text + " ") {
    if (c != ' ') {
      word += c;
      continue;
    }
    if (word.empty()) continue;
    const bool is_option = word.front() == '-';
    if (!value_follows && !is_option) words.push_back("--set");
    value_follows = is_option && word != "--with-panels";
    words.push_back(word);
    word.clear();
  }
  return words;
}

void add(std::vector<Variant>& all, const std::string& scene, const std::string& name, const std::string& text,
         long frames = 12, long steps = 5) {
  all.push_back({scene, name, settings(text), frames, steps});
}

void add_glimmer(std::vector<Variant>& all) {
  const std::string scene = "glimmer", gaussians = "--data synthetic:gaussians,n=2000,k=8,clusters=6 ";
  add(all, scene, "colours", "", 20);
  add(all, scene, "colours, 3-D", "output_dimensions=3", 20);
  add(all, scene, "colours, panels, dark", "--theme dark --with-panels", 20);
  add(all, scene, "colours, panels, light", "--theme light --with-panels", 20);
  add(all, scene, "swiss roll", "--data synthetic:swissroll,n=1500", 20);
  add(all, scene, "simplex", "--data synthetic:simplex,n=100", 20);
  add(all, scene, "8 columns", gaussians, 20);
  add(all, scene, "glimmer-2007", gaussians + "algorithm=glimmer-2007", 10, 3);
  for (const char* rival : {"chalmers", "hybrid", "pivot-mds", "landmark", "classic", "smacof", "nonmetric"})
    add(all, scene, rival, gaussians + "algorithm=" + rival, 10, 3);
  add(all, scene, "stochastic-force", gaussians + "algorithm=stochastic-force", 10, 3);
  add(all, scene, "cosine", gaussians + "metric=cosine", 20);
  add(all, scene, "manhattan, 3-D", gaussians + "metric=manhattan output_dimensions=3", 20);
  add(all, scene, "standardized", gaussians + "normalize=zscore", 20);
  add(all, scene, "grid of 20,000", "--data synthetic:grid,n=20000,h=8", 12);
  add(all, scene, "a million points", "--data synthetic:grid,n=1000000,h=8", 3, 2);
}

void add_mean_shift(std::vector<Variant>& all, const std::string& picture) {
  const std::string scene = "mean-shift", plane = "--data synthetic:gaussians,n=5000,k=2,clusters=3 ";
  add(all, scene, "2-D", "", 8);
  add(all, scene, "2-D, panels, dark", "--theme dark --with-panels", 8);
  add(all, scene, "2-D, panels, light", "--theme light --with-panels", 8);
  add(all, scene, "1-D", "--data synthetic:gaussians,n=5000,k=1,clusters=3", 8);
  add(all, scene, "3-D", "--data synthetic:gaussians,n=5000,k=3,clusters=4", 8);
  add(all, scene, "5-D", "--data synthetic:gaussians,n=3000,k=5,clusters=4", 8);
  for (const char* method : {"naive", "tiled", "grid", "field"}) add(all, scene, method, plane + "method=" + method, 8);
  for (const char* kernel : {"epanechnikov", "flat"}) add(all, scene, kernel, plane + "kernel=" + kernel, 8);
  add(all, scene, "converged", plane, 60);
  if (picture.empty()) return;
  add(all, scene, "picture, rgb", "--data " + picture + " bandwidth=20", 8);
  add(all, scene, "picture, xyrgb", "--data " + picture + " features=xyrgb bandwidth=20", 8);
}

void add_k_means(std::vector<Variant>& all, const std::string& picture) {
  const std::string scene = "k-means";
  // The first three run until they have converged. On a GPU k-means++ takes fewer frames, so earlier pictures would
  // show other iterations.
  add(all, scene, "2-D", "", 40, 1);
  add(all, scene, "2-D, panels, dark", "--theme dark --with-panels", 40, 1);
  add(all, scene, "2-D, panels, light", "--theme light --with-panels", 40, 1);
  add(all, scene, "3-D", "--data synthetic:gaussians,n=20000,k=3,clusters=5 clusters=5", 8, 1);
  add(all, scene, "one column", "--data synthetic:gaussians,n=5000,k=1,clusters=3 clusters=3", 8, 1);
  add(all, scene, "32 columns, K = 64",
      "--data synthetic:gaussians,n=20000,k=32,clusters=20 clusters=64 iterations=1000", 10, 100);
  add(all, scene, "128 columns, K = 256",
      "--data synthetic:gaussians,n=20000,k=128,clusters=20 clusters=256 iterations=1000", 10, 100);
  add(all, scene, "random start", "start=random", 8, 1);
  add(all, scene, "sweep", "--data synthetic:gaussians,n=3000,k=2,clusters=4 sweep=1:6", 3, 2000);
  if (!picture.empty()) add(all, scene, "picture", "--data " + picture + " clusters=5", 8, 1);
}

void add_waves(std::vector<Variant>& all) {
  const std::string scene = "fitzhugh-nagumo";
  for (const char* kind : {"divergent", "impulses", "traveling", "front", "rest"})
    add(all, scene, std::string("axon, ") + kind, std::string("case=") + kind, 20, 20);
  add(all, scene, "axon, panels, dark", "--theme dark --with-panels", 20, 20);
  add(all, scene, "axon, panels, light", "--theme light --with-panels", 20, 20);
  add(all, scene, "axon, adaptive", "scheme=adaptive", 20, 20);
  for (const char* solver : {"halo", "thomas", "cyclic-reduction", "parallel-cyclic-reduction", "partition"})
    add(all, scene, std::string("axon, ") + solver, std::string("scheme=implicit solver=") + solver, 20, 10);
  add(all, scene, "axon, cusparse", "scheme=implicit solver=cusparse", 20, 10);
  all.back().only_cuda = true;
  add(all, scene, "axon, double", "precision=double", 20, 20);
  add(all, scene, "axon, compared", "compare=implicit", 20, 20);
  for (const char* kind : {"spiral", "target"})
    add(all, scene, std::string("sheet, ") + kind, std::string("dimensions=2 case=") + kind, 12, 200);
  add(all, scene, "sheet, periodic", "dimensions=2 boundary=periodic", 12, 200);
  add(all, scene, "sheet of 1,024²", "dimensions=2 nodes=1024", 6, 100);
}

void add_landscape(std::vector<Variant>& all, const std::string& presets) {
  const std::string scene = "landscape", full = "quality=full ";
  add(all, scene, "start", full, 6, 10);
  add(all, scene, "start, panels, dark", full + "--theme dark --with-panels", 3, 10);
  add(all, scene, "start, panels, light", full + "--theme light --with-panels", 3, 10);
  for (const char* preset : {"alps", "dusk", "island", "morning", "night", "noon"})
    add(all, scene, preset, full + "--preset " + presets + "/" + preset + ".json", 4, 10);
  for (const char* pass : {"refraction", "reflection", "depth", "cascades"})
    add(all, scene, std::string("show ") + pass, full + "show=" + pass, 3, 10);
  add(all, scene, "show wireframe", full + "show=wireframe", 3, 10);
  all.back().block =
      8;  // two drivers choose other pixels for a line: where lines are dense, 4 pixels a side are too few
  for (const char* camera : {"walk", "fly", "orbit"})
    add(all, scene, std::string("camera ") + camera, full + "camera=" + camera, 3, 10);
  add(all, scene, "smoke as a surface", full + "smoke_look=surface", 4, 10);
  add(all, scene, "reduced", "quality=reduced", 4, 10);
  add(all, scene, "an hour later", full + "time_lapse=24", 6, 60);
}

}  // namespace

std::vector<Variant> variants(const std::string& picture, const std::string& presets) {
  std::vector<Variant> all;
  add_glimmer(all);
  add_mean_shift(all, picture);
  add_k_means(all, picture);
  add_waves(all);
  add_landscape(all, presets);
  return all;
}

}  // namespace kinescope::tests
