#include "tests/bench/quality_data.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <numbers>

#include "kinescope/data/load.hpp"
#include "kinescope/permutation.hpp"
#include "kinescope/random.hpp"

namespace kinescope::sim::quality {
namespace {

constexpr double pi = std::numbers::pi;
using Point = std::vector<double>;
using Sizes = std::vector<std::size_t>;

// Random numbers one after another.
class Draws {
 public:
  explicit Draws(std::uint32_t stream) : random_(20'07, stream) {}
  double uniform(double low = 0, double high = 1) { return low + (high - low) * random_.uniform64(next_++); }
  double normal() { return random_.normal(next_++); }
  std::size_t below(std::size_t count) {
    return uniform_below(random_.words(next_++)[0], static_cast<std::uint32_t>(count));
  }
  Point normals(std::size_t count, double deviation = 1) {
    Point point(count);
    for (double& value : point) value = deviation * normal();
    return point;
  }
  std::vector<Point> centres(std::size_t count, std::size_t dimensions, double deviation) {
    std::vector<Point> all(count);
    for (Point& centre : all) centre = normals(dimensions, deviation);
    return all;
  }

 private:
  Random random_;
  std::uint64_t next_ = 0;
};

Point sum(const Point& a, const Point& b, double factor = 1) {
  Point result = a;
  for (std::size_t h = 0; h < a.size(); ++h) result[h] += factor * b[h];
  return result;
}

double length(const Point& point) {
  double square = 0;
  for (const double value : point) square += value * value;
  return std::sqrt(square);
}

// Collects families of synthetic data. point(draws) returns a function (i, n) that makes point i of n. Points are drawn
// in order, from a stream of random numbers that each family has for itself.
class Maker {
 public:
  std::vector<Family> all;

  template <class F>
  void add(const std::string& name, Sizes sizes, F point) {
    const auto stream = static_cast<std::uint32_t>(4000 + all.size());
    all.push_back({name, std::move(sizes), [name, point, stream](std::size_t n) {
                     auto data = std::make_shared<Dataset>();
                     data->name = name;
                     data->points = n;
                     Draws draws(stream);
                     auto here = point(draws);
                     for (std::size_t i = 0; i < n; ++i) {
                       const Point values = here(i, n);
                       data->dimensions = values.size();
                       for (const double value : values) data->rows().values.own().push_back(static_cast<float>(value));
                     }
                     return data;
                   }});
  }
};

void add_curves(Maker& maker) {
  maker.add("helix", {500}, [](Draws& draws) {
    return [&](std::size_t, std::size_t) {
      const double t = 11 * pi * draws.uniform();
      return Point{std::cos(t), std::sin(t), t / 9};
    };
  });
  maker.add("knot", {500}, [](Draws& draws) {
    return [&](std::size_t, std::size_t) {
      const double t = 2 * pi * draws.uniform(), r = 2 + std::cos(5 * t);
      return Point{r * std::cos(2 * t), r * std::sin(2 * t), -std::sin(5 * t)};
    };
  });
  maker.add("waves", {500, 1000}, [](Draws& draws) {  // a curve of seven harmonics in 12 dimensions
    return [&, a = draws.centres(7, 12, 1), b = draws.centres(7, 12, 1)](std::size_t, std::size_t) {
      const double t = 1.6 * pi * draws.uniform();
      Point x(12);
      for (std::size_t k = 0; k < 7; ++k)
        x = sum(sum(x, a[k], std::sin((k + 1) * t) / (k + 1)), b[k], std::cos((k + 1) * t) / (k + 1));
      return x;
    };
  });
  maker.add("walk-3", {500}, [](Draws& draws) {
    return [&, x = Point(3)](std::size_t, std::size_t) mutable { return x = sum(x, draws.normals(3)); };
  });
  maker.add("walk-25", {500, 2000}, [](Draws& draws) {
    return [&, x = Point(25)](std::size_t, std::size_t) mutable { return x = sum(x, draws.normals(25)); };
  });
  maker.add("filaments", {150, 500, 1000, 2000}, [](Draws& draws) {
    return [&, from = draws.centres(8, 15, 1.2), along = draws.centres(8, 15, 1), bend = draws.centres(8, 15, 0.4)](
               std::size_t i, std::size_t) {
      const double t = draws.uniform(-2, 2);
      return sum(sum(sum(from[i % 8], along[i % 8], t), bend[i % 8], t * t), draws.normals(15), 0.02);
    };
  });
  maker.add("star", {500}, [](Draws& draws) {
    return [&](std::size_t i, std::size_t) {
      Point x(11);
      x[i % 11] = draws.uniform();
      return x;
    };
  });
  maker.add("tree", {500, 1000}, [](Draws& draws) {  // each point is a random step away from an earlier one
    return [&, points = std::vector<Point>{Point(8)}](std::size_t i, std::size_t) mutable {
      const std::size_t parent = draws.below(4) > 0 && i > 0 ? points.size() - 1 : draws.below(points.size());
      points.push_back(sum(points[parent], draws.normals(8)));
      return points.back();
    };
  });
  maker.add("line", {150}, [](Draws& draws) {
    return [&](std::size_t, std::size_t) { return Point{draws.uniform(), 2, 3}; };
  });
  maker.add("circle", {500}, [](Draws& draws) {
    return [&](std::size_t, std::size_t) {
      const double t = 2 * pi * draws.uniform();
      return Point{std::cos(t), 0.6 * std::sin(t), 0.8 * std::sin(t)};
    };
  });
}

void add_surfaces(Maker& maker) {
  const auto roll = [](double turns) {
    return [turns](Draws& draws) {
      return [&draws, turns](std::size_t, std::size_t) {
        const double t = 1.5 * pi * (1 + turns * draws.uniform());
        return Point{t * std::cos(t), 21 * draws.uniform(), t * std::sin(t)};
      };
    };
  };
  maker.add("swiss-roll", {150, 500, 1000, 1089, 2000, 5000}, roll(2));
  maker.add("tight-roll", {500, 2000}, roll(3.5));
  maker.add("s-curve", {500}, [](Draws& draws) {
    return [&](std::size_t, std::size_t) {
      const double t = 3 * pi * (draws.uniform() - 0.5);
      return Point{std::sin(t), 3 * draws.uniform(), (t > 0 ? 1 : -1) * (std::cos(t) - 1)};
    };
  });
  maker.add("torus", {500, 1000}, [](Draws& draws) {
    return [&](std::size_t, std::size_t) {
      const double u = 2 * pi * draws.uniform(), v = 2 * pi * draws.uniform(), r = 2 + 0.9 * std::cos(u);
      return Point{r * std::cos(v), r * std::sin(v), 0.9 * std::sin(u)};
    };
  });
  maker.add("moebius", {500}, [](Draws& draws) {
    return [&](std::size_t, std::size_t) {
      const double t = 2 * pi * draws.uniform(), w = draws.uniform(-0.7, 0.7), r = 1 + w * std::cos(t / 2);
      return Point{r * std::cos(t), r * std::sin(t), w * std::sin(t / 2)};
    };
  });
  maker.add("planes", {500, 1000}, [](Draws& draws) {  // three planes that cross
    return [&](std::size_t i, std::size_t) {
      Point x = {draws.uniform(-1, 1), draws.uniform(-1, 1), draws.uniform(-1, 1)};
      x[i % 3] = 0;
      return x;
    };
  });
  const auto sphere = [](std::size_t dimensions) {
    return [dimensions](Draws& draws) {
      return [&draws, dimensions](std::size_t, std::size_t) {
        Point x = draws.normals(dimensions);
        const double r = length(x);
        for (double& value : x) value /= r;
        return x;
      };
    };
  };
  maker.add("sphere-3", {500, 2000}, sphere(3));
  maker.add("sphere-7", {500, 1000}, sphere(7));
  maker.add("cylinder", {500}, [](Draws& draws) {
    return [&](std::size_t, std::size_t) {
      const double t = 2 * pi * draws.uniform();
      return Point{std::cos(t), std::sin(t), draws.uniform(0, 3)};
    };
  });
  maker.add("linked", {500}, [](Draws& draws) {  // two rings, one through the other
    return [&](std::size_t i, std::size_t) {
      const double t = 2 * pi * draws.uniform(), c = 1.2 * std::cos(t), s = 1.2 * std::sin(t);
      return i % 2 ? Point{c, s, 0} : Point{1 + c, 0, s};
    };
  });
}

void add_clusters(Maker& maker) {
  const auto clusters = [](std::size_t count, std::size_t dimensions, double apart) {
    return [=](Draws& draws) {
      return [&draws, dimensions, centres = draws.centres(count, dimensions, apart)](std::size_t, std::size_t) {
        const Point& centre = centres[draws.below(centres.size())];
        return sum(centre, draws.normals(dimensions));
      };
    };
  };
  maker.add("clusters-6", {150, 500}, clusters(6, 12, 4));
  maker.add("clusters-12", {500, 1000, 2000}, clusters(12, 12, 80));
  maker.add("clusters-40", {500, 2000, 5000}, clusters(40, 9, 15));
  maker.add("far-8", {500, 2000}, clusters(8, 7, 8000));
  maker.add("far-2", {500}, clusters(2, 10, 5000));
  maker.add("unequal", {500, 1000}, [](Draws& draws) {  // half of all points in one, the others ever fewer and wider
    return [&, centres = draws.centres(9, 10, 12)](std::size_t, std::size_t) {
      std::size_t k = 0;
      while (k < 8 && draws.uniform() < 0.5) ++k;
      return sum(centres[k], draws.normals(10, 0.3 * (1 + k)));
    };
  });
  maker.add("hierarchy", {500, 1000}, [](Draws& draws) {
    return [&, upper = draws.centres(6, 10, 25), lower = draws.centres(24, 10, 5)](std::size_t, std::size_t) {
      const std::size_t k = draws.below(24);
      return sum(sum(upper[k / 4], lower[k]), draws.normals(10));
    };
  });
}

void add_noise(Maker& maker) {
  const auto uniform = [](std::size_t dimensions) {
    return [=](Draws& draws) {
      return [&draws, dimensions](std::size_t, std::size_t) {
        Point x(dimensions);
        for (double& value : x) value = draws.uniform();
        return x;
      };
    };
  };
  const auto gaussian = [](std::size_t dimensions) {
    return [=](Draws& draws) {
      return [&draws, dimensions](std::size_t, std::size_t) { return draws.normals(dimensions); };
    };
  };
  maker.add("box-3", {500, 2000}, uniform(3));
  maker.add("uniform-4", {150, 1000}, uniform(4));
  maker.add("uniform-40", {500, 1000}, uniform(40));
  maker.add("gaussian-8", {150, 500, 1000, 2000, 5000}, gaussian(8));
  maker.add("gaussian-15", {500, 1000}, gaussian(15));
  maker.add("gaussian-300", {500}, gaussian(300));
  maker.add("ellipsoid", {500, 1000}, [](Draws& draws) {  // each axis four fifths of the one before
    return [&](std::size_t, std::size_t) {
      Point x = draws.normals(20);
      for (std::size_t h = 0; h < x.size(); ++h) x[h] *= std::pow(0.8, h);
      return x;
    };
  });
}

void add_heavy_tails(Maker& maker) {
  maker.add("outliers", {150, 500, 1000, 2000}, [](Draws& draws) {
    return [&](std::size_t, std::size_t) {
      const double scale = 1 / std::max(2e-3, draws.uniform());
      return draws.normals(6, scale);
    };
  });
  maker.add("cauchy", {500, 1000}, [](Draws& draws) {
    return [&](std::size_t, std::size_t) {
      Point x(4);
      for (double& value : x) value = std::tan(pi * (draws.uniform(0.001, 0.999) - 0.5));
      return x;
    };
  });
  maker.add("lognormal", {500, 2000}, [](Draws& draws) {
    return [&](std::size_t, std::size_t) {
      Point x = draws.normals(10, 1.5);
      for (double& value : x) value = std::exp(value);
      return x;
    };
  });
  maker.add("one-outlier", {500}, [](Draws& draws) {
    return [&](std::size_t i, std::size_t) { return draws.normals(6, i == 77 ? 100 : 1); };
  });
}

void add_discrete(Maker& maker) {
  maker.add("duplicates", {500, 1000}, [](Draws& draws) {
    return [&, centres = draws.centres(25, 7, 1)](std::size_t, std::size_t) { return centres[draws.below(25)]; };
  });
  maker.add("simplex", {150, 500}, [](Draws&) {
    return [](std::size_t i, std::size_t n) {
      Point x(n);
      x[i] = 1;
      return x;
    };
  });
  maker.add("corners", {500, 1000}, [](Draws& draws) {
    return [&](std::size_t, std::size_t) {
      Point x(14);
      for (double& value : x) value = static_cast<double>(draws.below(2));
      return x;
    };
  });
  maker.add("lattice", {500}, [](Draws&) {
    return [](std::size_t i, std::size_t) { return Point{double(i % 8), double(i / 8 % 8), 1.1 * double(i / 64)}; };
  });
  maker.add("grid", {500, 5000}, [](Draws&) {
    return [](std::size_t i, std::size_t) { return Point{0.7 * double(i % 50), double(i / 50), 0, 0, 0, 0}; };
  });
  maker.add("categories", {500}, [](Draws& draws) {  // five questions with four answers each; one column per answer
    return [&](std::size_t, std::size_t) {
      Point x(20);
      for (std::size_t question = 0; question < 5; ++question) x[4 * question + draws.below(4)] = 1;
      return x;
    };
  });
}

// More points than can be polished: embeddings, nested topics with heavy tails, a curled sheet in noise.
void add_large(Maker& maker) {
  maker.add("nested-topics", {10'000, 20'000}, [](Draws& draws) {
    return [&, upper = draws.centres(40, 128, 1), lower = draws.centres(320, 128, 0.5)](std::size_t, std::size_t) {
      const std::size_t k = draws.below(320);
      const double width = 0.3 / std::sqrt(std::max(0.05, draws.uniform()));
      return sum(sum(upper[k / 8], lower[k]), draws.normals(128, width));
    };
  });
  maker.add("sheet-in-noise", {10'000, 20'000}, [](Draws& draws) {
    return [&](std::size_t, std::size_t) {
      const double t = 1.5 * pi * (1 + 2 * draws.uniform());
      Point x = draws.normals(32, 0.3);
      x[0] += t * std::cos(t), x[1] += 21 * draws.uniform(), x[2] += t * std::sin(t);
      return x;
    };
  });
  maker.all.push_back({"topics", {10'000, 20'000}, [](std::size_t n) {
                         DataRequest request;
                         request.source = "synthetic:topics,n=" + std::to_string(n);
                         return std::make_shared<Dataset>(*load_dataset(request));
                       }});
}

void add_real(std::vector<Family>& all, const std::string& folder) {
  const auto add = [&](const std::string& name, const std::string& file, std::size_t points, Metric metric) {
    const std::string path = folder + "/" + file;
    if (folder.empty() || !std::filesystem::exists(path)) return;
    const auto make = [name, path](std::size_t n) {
      DataRequest request;
      request.source = path;
      const std::shared_ptr<const Dataset> whole = load_dataset(request);
      auto data = std::make_shared<Dataset>();
      data->name = name;
      data->points = std::min(n, whole->points);
      data->dimensions = whole->dimensions;
      const Permutation drawn(whole->points, 3);
      for (std::size_t i = 0; i < data->points; ++i) {
        const auto row = whole->values().begin() + static_cast<std::ptrdiff_t>(drawn(i) * whole->dimensions);
        data->rows().values.own().insert(data->rows().values.own().end(), row,
                                         row + static_cast<std::ptrdiff_t>(whole->dimensions));
      }
      return data;
    };
    all.push_back({name, {points}, make, metric});
  };
  add("iris", "iris.csv", 150, Metric::euclidean);
  add("cancer", "cancer.csv", 683, Metric::euclidean);
  add("cancer-l1", "cancer.csv", 683, Metric::manhattan);
  add("digits-cosine", "digits.csv", 1000, Metric::cosine);
  add("digits-l1", "digits.csv", 1000, Metric::manhattan);
  add("digits", "digits.csv", 1797, Metric::euclidean);
  add("shuttle", "shuttle.csv", 2000, Metric::euclidean);
  add("shuttle-5000", "shuttle.csv", 5000, Metric::euclidean);
  add("mnist", "mnist-t10k-images-idx3-ubyte.gz", 10'000, Metric::euclidean);
}

}  // namespace

std::vector<Family> families(const std::string& folder) {
  Maker maker;
  add_curves(maker);
  add_surfaces(maker);
  add_clusters(maker);
  add_noise(maker);
  add_heavy_tails(maker);
  add_discrete(maker);
  add_large(maker);
  add_real(maker.all, folder);
  return maker.all;
}

}  // namespace kinescope::sim::quality
