#include "sim/data/readers/hdf5/hdf5_file.hpp"

#include <filesystem>
#include <new>
#include <utility>

#include "kinescope/error.hpp"
#include "sim/data/readers/hdf5/hdf5_library.hpp"

namespace kinescope::sim {
namespace {

#if KINESCOPE_HDF5
constexpr bool has_library = true;
#else
constexpr bool has_library = false;  // then no file can be opened, and nothing asked
#endif

enum class Answer : std::uint8_t { good, refused, no_memory };

// What the child process sends: an answer, then what `act` puts or the error.
template <class Act>
void answer(Channel& channel, const Act& act) {
  try {
    act();
  } catch (const Error& error) {
    put(channel, Answer::refused);
    put(channel, error.fault());
    put(channel, std::string(error.what()));
  } catch (const std::bad_alloc&) {
    put(channel, Answer::no_memory);
  }
  channel.flush();
}

void expect_good(Channel& channel) {
  switch (get<Answer>(channel)) {
    case Answer::good:
      return;
    case Answer::refused: {
      const auto fault = get<Fault>(channel);
      throw Error(fault, get<std::string>(channel));
    }
    case Answer::no_memory:
      throw std::bad_alloc();
  }
  throw Channel::Closed{};
}

// A request is the address of such a function, which is the same in both processes, and its arguments.
using Serve = void (*)(const Hdf5Library& file, Channel& channel);

template <auto method, class... Arguments>
void serve(const Hdf5Library& file, Channel& channel) {
  if constexpr (has_library) {
    const std::tuple<Arguments...> arguments{get<Arguments>(channel)...};
    answer(channel, [&] {
      const auto result = std::apply([&](const auto&... each) { return (file.*method)(each...); }, arguments);
      put(channel, Answer::good);
      put(channel, result);
    });
  }
}

}  // namespace

Hdf5File::Hdf5File(const std::string& path, std::string name)
    : name_(std::move(name)), process_(name_, "libhdf5", ReaderProcess::patience(path), [&](Channel& channel) {
        const unsigned seconds = ReaderProcess::patience(path);
        std::optional<Hdf5Library> file;
        answer(channel, [&] {
          file.emplace(path, name_);
          put(channel, Answer::good);
        });
        while (file) {
          alarm(0);  // the time between two requests is not the file's
          const auto request = get<Serve>(channel);
          alarm(seconds);
          request(*file, channel);
        }
      }) {
  std::error_code none;
  size_ = std::filesystem::file_size(path, none);
  try {
    expect_good(process_.channel());
  } catch (const Channel::Closed&) {
    process_.finish();
    throw file_error(name_, "damaged: libhdf5 ends on it");
  }
}

// `answer` receives the result.
template <auto method, class Receive, class... Arguments>
auto Hdf5File::receive(const Receive& answer, const Arguments&... arguments) const {
  Channel& channel = process_.channel();
  try {
    put(channel, Serve{&serve<method, Arguments...>});
    (put(channel, arguments), ...);
    channel.flush();
    expect_good(channel);
    return answer(channel);
  } catch (const Channel::Closed&) {
    process_.finish();
    throw file_error(name_, "damaged: libhdf5 ends on it");
  }
}

template <auto method, class... Arguments>
auto Hdf5File::ask(const Arguments&... arguments) const {
  using Result = decltype((std::declval<const Hdf5Library&>().*method)(arguments...));
  return receive<method>([](Channel& channel) { return get<Result>(channel); }, arguments...);
}

std::vector<std::string> Hdf5File::arrays() const {
  return ask<&Hdf5Library::arrays>();
}

bool Hdf5File::has(const std::string& name) const {
  return ask<&Hdf5Library::has>(name);
}

bool Hdf5File::is_group(const std::string& name) const {
  return ask<&Hdf5Library::is_group>(name);
}

std::vector<std::string> Hdf5File::names_in(const std::string& group) const {
  return ask<&Hdf5Library::names_in>(group);
}

std::vector<std::string> Hdf5File::other_files() const {
  return ask<&Hdf5Library::other_files>();
}

std::optional<Hdf5Shape> Hdf5File::shape_of(const Hdf5Place& place) const {
  return ask<&Hdf5Library::shape_of>(place);
}

std::optional<Hdf5Shape> Hdf5File::list_at(const Hdf5Place& place, std::uint64_t rows) const {
  std::optional<Hdf5Shape> shape = shape_of(place);
  if (!shape || shape->sizes.size() != 1 || shape->sizes[0] != rows || !(shape->numbers || shape->texts))
    return std::nullopt;
  return shape;
}

std::string Hdf5File::text_attribute(const std::string& object, const std::string& name) const {
  const std::vector<std::string> texts = texts_attribute(object, name);
  return texts.size() == 1 ? texts.front() : "";
}

std::vector<std::string> Hdf5File::texts_attribute(const std::string& object, const std::string& name) const {
  return ask<&Hdf5Library::texts_attribute>(object, name);
}

std::vector<std::uint64_t> Hdf5File::sizes_attribute(const std::string& object, const std::string& name) const {
  return ask<&Hdf5Library::sizes_attribute>(object, name);
}

bool Hdf5File::flag_attribute(const std::string& object, const std::string& name) const {
  const std::vector<std::uint64_t> value = sizes_attribute(object, name);
  return value.size() == 1 && value.front() != 0;
}

template <class Number>
void Hdf5File::read_rows(const std::string& array, std::uint64_t first, std::uint64_t count,
                         std::span<Number> into) const {
  receive<&Hdf5Library::read_rows<Number>>(
      [&](Channel& channel) {
        if (get<std::uint64_t>(channel) != into.size()) throw Channel::Closed{};
        channel.receive(into.data(), into.size_bytes());
      },
      array, first, count);
}

template void Hdf5File::read_rows(const std::string&, std::uint64_t, std::uint64_t, std::span<float>) const;
template void Hdf5File::read_rows(const std::string&, std::uint64_t, std::uint64_t, std::span<double>) const;
template void Hdf5File::read_rows(const std::string&, std::uint64_t, std::uint64_t, std::span<std::int64_t>) const;

std::uint64_t Hdf5File::rows_together(const std::string& array) const {
  return ask<&Hdf5Library::rows_together>(array);
}

std::vector<double> Hdf5File::read_numbers(const Hdf5Place& place) const {
  return ask<&Hdf5Library::read_numbers>(place);
}

std::vector<std::string> Hdf5File::read_texts(const Hdf5Place& place) const {
  return ask<&Hdf5Library::read_texts>(place);
}

}  // namespace kinescope::sim
