#include "app/view/files/saving.hpp"

#include <algorithm>
#include <span>
#include <utility>

#include "app/view/figure/clipboard.hpp"
#include "app/view/recording/screenshot.hpp"
#include "kinescope/data/table_writer.hpp"
#include "kinescope/data/write.hpp"

namespace kinescope::app {
namespace {

// The table, with the numbers of its first columns replaced by `values`, [rows × columns], row-major.
sim::Table with_first_columns(sim::Table table, const std::vector<float>& values) {
  const std::size_t columns = values.size() / std::max<std::size_t>(table.rows, 1);
  for (std::size_t column = 0; column < columns; ++column) {
    const std::span<float> numbers = table.columns[column].numbers.write_floats(table.rows);
    for (std::size_t row = 0; row < table.rows; ++row) numbers[row] = values[row * columns + column];
  }
  return table;
}

// The ending of a table that is saved without a question.
std::string usual_ending() {
  return std::string(sim::table_writers().front()->ending);
}

}  // namespace

std::string error_of(const std::function<void()>& write) {
  try {
    write();
    return "";
  } catch (const sim::Error& error) {
    return error.what();
  } catch (const std::exception&) {
    return "out of memory, or the operating system reported an error";
  }
}

std::string Saving::folder() const {
  return folder_for_saving(session_.request().source);
}

// An earlier moment has a result only if one of its kept buffers holds the first columns of the result
// (Scene::result_buffer).
std::string Saving::why_no_result(const Past& past, const Scene& scene) {
  if (!past.moment() || !scene.result_buffer().empty()) return "";
  return "Only the live state has a result that can be saved: press Live first";
}

void Saving::result(const Past& past, const Scene& scene) {
  if (!why_no_result(past, scene).empty()) return;
  saves_result_ = true;
  const std::vector<float> earlier = past.values(scene.result_buffer());
  session_.runner()->post([this, folder = folder(), earlier](sim::Simulation& simulation) {
    const std::vector<std::string> endings = simulation.endings("out");
    const std::string path =
        endings.empty() ? "" : new_file_name(folder, earlier.empty() ? endings.front() : usual_ending());
    const std::string error = error_of([&] {
      if (endings.empty()) throw sim::input_error("with these data and parameters there is no result to save");
      if (earlier.empty()) return sim::write_output(simulation, "out", path);
      sim::write_table(path, with_first_columns(simulation.result(), earlier));
    });
    jobs_.post([this, path, error]() -> JobQueue::Then {
      return [this, path, error] {
        saves_result_ = false;
        tell(path, error);
      };
    });
  });
}

void Saving::session(const SavedSession& session) {
  const std::string path = new_file_name(folder(), session_ending);
  tell(path, error_of([&] { save_session(path, session); }));
}

void Saving::table(std::function<sim::Table()> make) {
  const std::string path = new_file_name(folder(), usual_ending());
  in_background(path, [path, make = std::move(make)] { sim::write_table(path, make()); });
}

void Saving::picture(const std::function<render::Image()>& draw, const std::string& state) {
  const std::string path = new_file_name(folder(), ".png");
  in_background(path, [path, image = draw(), state] {
    try {
      write_png(path, image, state);
    } catch (const sim::Error&) {
      throw;
    } catch (const std::exception&) {
      throw sim::run_error(path + ": cannot write the picture");
    }
  });
}

void Saving::figure(const std::string& ending,
                    const std::function<std::function<void()>(const std::string& path)>& draw) {
  const std::string path = new_file_name(folder(), ending);
  in_background(path, draw(path));
}

void Saving::copy(render::Image image, const std::string& state, bool opaque) {
  jobs_.post([this, image = std::move(image), state, opaque]() -> JobQueue::Then {
    const std::string error = error_of([&] { copy_png(png_of(image, state, opaque)); });
    return [this, error] {
      if (error.empty())
        notices_.say("The picture is in the clipboard");
      else
        notices_.complain(sim::run_error(error));
    };
  });
}

void Saving::in_background(const std::string& path, std::function<void()> write) {
  jobs_.post([this, path, write = std::move(write)]() -> JobQueue::Then {
    return [this, path, error = error_of(write)] { tell(path, error); };
  });
}

void Saving::tell(const std::string& path, const std::string& error) {
  if (error.empty())
    notices_.say("Saved " + path);
  else
    notices_.complain(sim::run_error(error));
  ids_.state("saved", error.empty() ? path : "failed");
}

}  // namespace kinescope::app
