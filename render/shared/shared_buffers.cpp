#include "render/shared/shared_buffers.hpp"

#include <algorithm>
#include <cassert>
#include <chrono>

#ifdef KINESCOPE_CUDA
// This comes after glad, which replaces the system's OpenGL header.
#include <cuda_gl_interop.h>

#include "kinescope/executors/cuda_check.hpp"
#endif

#include "kinescope/error.hpp"
#include "render/shared/mapped_ring.hpp"

namespace kinescope::render {

const char* SharedBuffers::path_text() const {
  switch (path()) {
    case SharedPath::mapped_ring:
      return "mapped ring";
    case SharedPath::cuda_shared:
      return "shared with CUDA";
    case SharedPath::cuda_staged:
      return "staged through the host";
  }
  return "";
}

#ifdef KINESCOPE_CUDA

namespace {

// What CudaShared and CudaStaged have in common. Besides the members that NamedBuffers needs, an Entry has `buffer` and
// `bytes`.
template <class Entry>
class CudaBuffers : public NamedBuffers<Entry> {
 public:
  using typename NamedBuffers<Entry>::Id;
  CudaBuffers(int device, std::string reason) : NamedBuffers<Entry>(std::move(reason)), device_(device) {
    CUDA_CHECK(cudaSetDevice(device_));
  }
  sim::MemoryKind memory_kind() const final { return sim::MemoryKind::device; }
  BufferView view(Id id) const final {
    const Entry& entry = this->entries_[id];
    return entry.published ? BufferView{entry.buffer.name(), 0, GLsizeiptr(entry.bytes)} : BufferView{};
  }
  void drawn() final {}  // the driver orders CUDA's writes (shared) and the upload (staged) after the draws

 protected:
  // Each thread has its own current device; every caller must select ours.
  void select() { CUDA_CHECK(cudaSetDevice(device_)); }

  cudaStream_t stream_ = nullptr;

 private:
  int device_;
};

// Unregisters when destroyed; must be destroyed before its buffer.
class Registration {
 public:
  Registration() = default;
  explicit Registration(GLuint buffer) {
    CUDA_CHECK(cudaGraphicsGLRegisterBuffer(&resource_, buffer, cudaGraphicsRegisterFlagsWriteDiscard));
  }
  Registration(Registration&& other) noexcept : resource_(std::exchange(other.resource_, nullptr)) {}
  Registration& operator=(Registration&& other) noexcept {
    std::swap(resource_, other.resource_);
    return *this;
  }
  ~Registration() {
    if (resource_) cudaGraphicsUnregisterResource(resource_);
  }
  cudaGraphicsResource_t get() const { return resource_; }

 private:
  cudaGraphicsResource_t resource_ = nullptr;
};

struct SharedEntry {
  std::string name;
  std::size_t bytes = 0;
  Buffer buffer;
  Registration registration;  // declared after the buffer: destroyed before it
  void* address = nullptr;
  bool published = false;

  SharedEntry(std::string_view called, std::size_t size)
      : name(called), bytes(size), buffer(size), registration(buffer.name()) {}
};

class CudaShared final : public CudaBuffers<SharedEntry> {
 public:
  explicit CudaShared(int device) : CudaBuffers(device, "") {
    const Buffer trial(256);  // if sharing does not work, this throws here and not in the middle of a run
    const Registration registration(trial.name());
  }
  ~CudaShared() override {
    if (open_) unmap();
  }
  SharedPath path() const override { return SharedPath::cuda_shared; }
  bool ready() override { return generation() > 0; }
  double upload_ms() const override { return 0; }

  Id create(std::string_view name, std::size_t bytes) override {
    assert(!open_);
    select();
    return keep(SharedEntry(name, bytes));
  }
  void* address(Id id) override { return entries_[id].address; }

  bool begin(void* stream) override {
    assert(!open_);
    select();
    stream_ = static_cast<cudaStream_t>(stream);
    std::vector<cudaGraphicsResource_t> resources = all();
    if (!resources.empty()) CUDA_CHECK(cudaGraphicsMapResources(int(resources.size()), resources.data(), stream_));
    open_ = true;
    for (SharedEntry& entry : entries_) {
      std::size_t mapped_bytes = 0;
      CUDA_CHECK(cudaGraphicsResourceGetMappedPointer(&entry.address, &mapped_bytes, entry.registration.get()));
    }
    return true;
  }

  void end() override {
    assert(open_);
    CUDA_CHECK(unmap());
    published();
  }

 private:
  std::vector<cudaGraphicsResource_t> all() const {
    std::vector<cudaGraphicsResource_t> resources;
    for (const SharedEntry& entry : entries_) resources.push_back(entry.registration.get());
    return resources;
  }
  cudaError_t unmap() {
    open_ = false;
    std::vector<cudaGraphicsResource_t> resources = all();
    return resources.empty() ? cudaSuccess
                             : cudaGraphicsUnmapResources(int(resources.size()), resources.data(), stream_);
  }
};

struct FreeDevice {
  void operator()(void* pointer) const { cudaFree(pointer); }
};
struct FreePinned {
  void operator()(void* pointer) const { cudaFreeHost(pointer); }
};
struct DestroyEvent {
  void operator()(cudaEvent_t event) const { cudaEventDestroy(event); }
};
using Event = std::unique_ptr<CUevent_st, DestroyEvent>;

Event make_event() {
  cudaEvent_t event = nullptr;
  CUDA_CHECK(cudaEventCreate(&event));
  return Event(event);
}

struct StagedEntry {
  std::string name;
  std::size_t bytes = 0;
  Buffer buffer;
  std::unique_ptr<void, FreeDevice> device;
  std::unique_ptr<void, FreePinned> host;
  bool published = false;

  StagedEntry(std::string_view called, std::size_t size) : name(called), bytes(size), buffer(size) {
    void* pointer = nullptr;
    CUDA_CHECK(cudaMalloc(&pointer, std::max<std::size_t>(size, 4)));
    device.reset(pointer);
    CUDA_CHECK(cudaMallocHost(&pointer, std::max<std::size_t>(size, 4)));
    host.reset(pointer);
  }
};

class CudaStaged final : public CudaBuffers<StagedEntry> {
 public:
  CudaStaged(int device, std::string reason, bool wait)
      : CudaBuffers(device, std::move(reason)), wait_(wait), copy_begin_(make_event()), copy_end_(make_event()) {}
  ~CudaStaged() override {
    if (copying_) cudaEventSynchronize(copy_end_.get());
  }
  SharedPath path() const override { return SharedPath::cuda_staged; }
  double upload_ms() const override { return upload_ms_; }

  Id create(std::string_view name, std::size_t bytes) override {
    assert(!open_);
    select();
    if (copying_) {  // a copy under way belongs to the earlier buffers
      CUDA_CHECK(cudaEventSynchronize(copy_end_.get()));
      copying_ = false;
    }
    return keep(StagedEntry(name, bytes));
  }
  void* address(Id id) override { return entries_[id].device.get(); }

  bool begin(void* stream) override {
    assert(!open_);
    select();
    take_over();
    if (copying_) return false;
    stream_ = static_cast<cudaStream_t>(stream);
    open_ = true;
    return true;
  }

  void end() override {
    assert(open_);
    open_ = false;
    CUDA_CHECK(cudaEventRecord(copy_begin_.get(), stream_));
    for (StagedEntry& entry : entries_)
      CUDA_CHECK(cudaMemcpyAsync(entry.host.get(), entry.device.get(), entry.bytes, cudaMemcpyDeviceToHost, stream_));
    CUDA_CHECK(cudaEventRecord(copy_end_.get(), stream_));
    copying_ = true;
    if (wait_) {
      CUDA_CHECK(cudaEventSynchronize(copy_end_.get()));
      take_over();
    }
  }

  bool ready() override {
    take_over();
    return generation() > 0;
  }

 private:
  void take_over() {
    if (!copying_) return;
    const cudaError_t status = cudaEventQuery(copy_end_.get());
    if (status == cudaErrorNotReady) {
      cudaGetLastError();
      return;
    }
    CUDA_CHECK(status);
    float copy_ms = 0;
    CUDA_CHECK(cudaEventElapsedTime(&copy_ms, copy_begin_.get(), copy_end_.get()));
    const auto start = std::chrono::steady_clock::now();
    for (StagedEntry& entry : entries_) entry.buffer.write(0, entry.bytes, entry.host.get());
    const std::chrono::duration<double, std::milli> taken = std::chrono::steady_clock::now() - start;
    upload_ms_ = double(copy_ms) + taken.count();
    copying_ = false;
    published();
  }

  bool wait_, copying_ = false;
  Event copy_begin_, copy_end_;
  double upload_ms_ = 0;
};

// "" if OpenGL draws on that CUDA device; else one line that says why OpenGL's buffers cannot be shared with it.
std::string why_not_shared(int device) {
  unsigned count = 0;
  int drawing[16] = {};
  const cudaError_t status = cudaGLGetDevices(&count, drawing, 16, cudaGLDeviceListAll);
  const auto* text = reinterpret_cast<const char*>(glGetString(GL_RENDERER));
  const std::string renderer = text ? text : "OpenGL";
  if (status != cudaSuccess) {
    cudaGetLastError();
    return "OpenGL draws with " + renderer + ", which is not a CUDA device (" + cudaGetErrorString(status) + ")";
  }
  if (std::find(drawing, drawing + std::min(count, 16u), device) == drawing + std::min(count, 16u))
    return "OpenGL draws with " + renderer + ", which is not CUDA device " + std::to_string(device);
  return "";
}

}  // namespace

#endif  // KINESCOPE_CUDA

std::unique_ptr<SharedBuffers> SharedBuffers::make(const SharedBuffersOptions& options) {
  if (options.memory == sim::MemoryKind::host) return std::make_unique<MappedRing>();
#ifdef KINESCOPE_CUDA
  std::string reason;
  if (!options.force_staging) {
    CUDA_CHECK(cudaSetDevice(options.cuda_device));
    reason = why_not_shared(options.cuda_device);
    if (reason.empty()) {
      try {
        return std::make_unique<CudaShared>(options.cuda_device);
      } catch (const sim::Error& error) {
        reason = std::string("OpenGL's buffers cannot be registered with CUDA: ") + error.what();
      }
    }
  }
  return std::make_unique<CudaStaged>(options.cuda_device, std::move(reason), options.wait_for_copies);
#else
  throw sim::run_error("this program was built without CUDA");
#endif
}

}  // namespace kinescope::render
