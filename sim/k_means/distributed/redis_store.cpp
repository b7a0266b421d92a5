// A group's store on a Redis server, for processes that share no folder. Each reply is waited for at most a second, and
// a second for each of its megabytes. A broken connection is replaced when it is next needed.
#include <algorithm>
#include <cctype>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <thread>
#include <utility>
#include <vector>

#include "sim/k_means/distributed/messages.hpp"
#include "sim/k_means/distributed/store.hpp"

#if KINESCOPE_HIREDIS
#include <hiredis/hiredis.h>
#endif

namespace kinescope::sim::k_means {

#if KINESCOPE_HIREDIS
namespace {

using Clock = std::chrono::steady_clock;

constexpr timeval longest{1, 0};

struct Server {
  std::string host, name;
  int port = 6379;
};

Server server_of(const std::string& address) {
  const std::string text = address.substr(std::strlen("redis://"));
  const std::size_t slash = text.find('/');
  Server server;
  server.host = text.substr(0, slash);
  if (slash != std::string::npos) server.name = text.substr(slash + 1);
  bool good = true;
  if (const std::size_t colon = server.host.rfind(':'); colon != std::string::npos) {
    const char *first = server.host.data() + colon + 1, *end = server.host.data() + server.host.size();
    const auto [last, error] = std::from_chars(first, end, server.port);
    good = error == std::errc() && last == end && server.port > 0 && server.port < 65536;
    server.host.resize(colon);
  }
  const auto plain = [](unsigned char each) { return std::isalnum(each) || each == '-' || each == '_' || each == '.'; };
  if (!good || server.host.empty() || server.name.empty() ||
      !std::all_of(server.name.begin(), server.name.end(), plain))
    throw StoreLost("expected redis://HOST:PORT/NAME, NAME of letters, digits, '-', '_' and '.', found '" + address +
                    "'");
  return server;
}

class RedisStore : public Store {
 public:
  explicit RedisStore(const std::string& address) : server_(server_of(address)), address_(address) { connection(); }

  bool has(const std::string& name) override {
    try {
      return ask({"EXISTS", key(name)})->integer == 1;
    } catch (const StoreLost&) {
      return false;
    }
  }
  // Only while the run's first note is there: nobody would remove what is written after a server forgot the run.
  void write(const std::string& name, const std::string& text) override {
    const std::string script =
        "if redis.call('EXISTS', KEYS[2]) == 0 then return 0 end redis.call('SET', KEYS[1], ARGV[1]) return 1";
    if (ask({"EVAL", script, "2", key(name), key(run_name), text})->integer != 1)
      throw StoreLost(address_ + ": its notes are gone");
  }
  bool begin(const std::string& name, const std::string& text) override {
    if (ask({"SETNX", key(name), text})->integer != 1) return false;
    try {
      clear({name});  // removes what processes of an earlier run wrote after it was over
    } catch (...) {
      remove();
      throw;
    }
    return true;
  }
  std::string read(const std::string& name) override {
    const Reply reply = ask({"GET", key(name)});
    if (reply->type != REDIS_REPLY_STRING) throw StoreLost(address_ + ": there is no " + name);
    return {reply->str, reply->len};
  }

  bool claim(const std::string& name, const Presence& presence) override {
    own_name_ = name;
    identity_ = presence.identity;
    return ask({"SETNX", key(name), text_of(presence)})->integer == 1;
  }
  // Only while the name is its own: it may have been cleared, and somebody else may have it now.
  void beat(const Presence& presence) override {
    static const std::string script =
        "local found = redis.call('GET', KEYS[1]) "
        "if found and found:sub(" +
        std::to_string(offsetof(Presence, identity) + 1) + ", " +
        std::to_string(offsetof(Presence, identity) + sizeof presence.identity) +
        ") == ARGV[2] then redis.call('SET', KEYS[1], ARGV[1]) end";
    try {
      ask({"EVAL",
           script,
           "1",
           key(own_name_),
           text_of(presence),
           {reinterpret_cast<const char*>(&identity_), sizeof identity_}});
    } catch (const StoreLost&) {
    }
  }
  // True if the server does not answer: that does not mean that the group is over.
  bool owns() override {
    try {
      const Reply reply = ask({"GET", key(own_name_)});
      const std::optional<Presence> found = presence_in(*reply);
      return found && found->identity == identity_;
    } catch (const StoreLost&) {
      return true;
    }
  }
  std::optional<Presence> presence(const std::string& name) override {
    try {
      return presence_in(*ask({"GET", key(name)}));
    } catch (const StoreLost&) {
      return std::nullopt;
    }
  }
  void clear(const std::set<std::string>& but) override {
    const Reply keys = ask({"KEYS", key("*")});
    const std::string before = key("");
    std::set<std::string> names;
    for (std::size_t i = 0; i < keys->elements; ++i) {
      if (keys->element[i]->type != REDIS_REPLY_STRING) continue;
      const std::string found(keys->element[i]->str, keys->element[i]->len);
      if (found.starts_with(before)) names.insert(found.substr(before.size()));
    }
    for (const std::string& name : notes_among(names, '/'))
      if (name != run_name && !but.contains(name)) ask({"DEL", key(name)});
    if (!but.contains(run_name)) ask({"DEL", key(run_name)});  // the last: another run may begin once it is gone
  }
  // Tries twice: a connection may be lost although the server is there, and what stays is in the next run's way.
  void remove() override {
    try {
      clear({});
    } catch (const std::exception&) {
      std::this_thread::sleep_until(next_);
      clear({});
    }
  }

 private:
  struct Free {
    void operator()(redisReply* reply) const { freeReplyObject(reply); }
    void operator()(redisContext* context) const { redisFree(context); }
  };
  using Reply = std::unique_ptr<redisReply, Free>;

  std::string key(const std::string& name) const { return "kinescope:" + server_.name + ":" + name; }
  static std::string text_of(const Presence& presence) {
    return {reinterpret_cast<const char*>(&presence), sizeof presence};
  }
  static std::optional<Presence> presence_in(const redisReply& reply) {
    return reply.type == REDIS_REPLY_STRING ? presence_of({reply.str, reply.len}) : std::nullopt;
  }

  redisContext& connection() {
    if (!context_) {
      context_.reset(redisConnectWithTimeout(server_.host.c_str(), server_.port, longest));
      if (!context_ || context_->err != 0) {
        const std::string why = context_ ? context_->errstr : "no memory";
        context_.reset();
        throw StoreLost(address_ + ": " + why);
      }
      redisSetTimeout(context_.get(), longest);
      if (const char* password = std::getenv("KINESCOPE_REDIS_PASSWORD")) send({"AUTH", password});
    }
    return *context_;
  }
  // A server that did not answer is not asked again for as long as it was waited for: who looks at many notes would
  // wait for each.
  Reply ask(const std::vector<std::string>& words) {
    if (Clock::now() < next_) throw StoreLost(address_ + ": does not answer");
    const Clock::time_point begin = Clock::now();
    try {
      const bool is_new = !context_;
      connection();
      try {
        return send(words);
      } catch (const StoreLost&) {
        if (is_new || !closed_) throw;
      }
      connection();  // the server was started again since it was last asked
      return send(words);
    } catch (const StoreLost&) {
      next_ = Clock::now() + (Clock::now() - begin);
      throw;
    }
  }
  Reply send(const std::vector<std::string>& words) {
    std::vector<const char*> starts;
    std::vector<std::size_t> lengths;
    for (const std::string& word : words) starts.push_back(word.data()), lengths.push_back(word.size());
    redisAppendCommandArgv(context_.get(), static_cast<int>(words.size()), starts.data(), lengths.data());
    Reply reply = receive();
    closed_ = false;
    if (!reply) {
      const std::string why = context_->errstr;
      closed_ = context_->err == REDIS_ERR_EOF || errno == EPIPE || errno == ECONNRESET;
      context_.reset();
      throw StoreLost(address_ + ": " + why);
    }
    if (reply->type == REDIS_REPLY_ERROR) throw StoreLost(address_ + ": " + std::string(reply->str, reply->len));
    return reply;
  }

  // Sends what was appended and returns the reply; null if the connection failed. Whatever answers there may be no
  // server of Redis': it may send slowly, or without end.
  Reply receive() {
    for (int all_sent = 0; all_sent == 0;)
      if (redisBufferWrite(context_.get(), &all_sent) != REDIS_OK) return nullptr;
    constexpr double most_bytes = most_note_bytes, bytes_a_second = 1e6,
                     part = 16 << 10;  // redisBufferRead() reads a part at most
    const Clock::time_point begin = Clock::now();
    for (double bytes = 0; bytes < most_bytes; bytes += part) {
      void* reply = nullptr;
      if (redisGetReplyFromReader(context_.get(), &reply) != REDIS_OK) return nullptr;
      if (reply) return Reply(static_cast<redisReply*>(reply));
      if (std::chrono::duration<double>(Clock::now() - begin).count() > 1 + bytes / bytes_a_second) break;
      if (redisBufferRead(context_.get()) != REDIS_OK) return nullptr;
    }
    context_.reset();
    throw StoreLost(address_ + ": its answer does not end");
  }

  const Server server_;
  const std::string address_;
  std::unique_ptr<redisContext, Free> context_;
  bool closed_ = false;     // the last reply did not come because the server had closed the connection
  Clock::time_point next_;  // not before is the server asked again
  std::string own_name_;
  std::uint64_t identity_ = 0;
};

}  // namespace

std::unique_ptr<Store> open_redis(const std::string& address) {
  return std::make_unique<RedisStore>(address);
}

#else

std::unique_ptr<Store> open_redis(const std::string& address) {
  throw StoreLost(address + ": this program was built without hiredis; install libhiredis-dev and build it again");
}

#endif

}  // namespace kinescope::sim::k_means
