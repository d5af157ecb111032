// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/io/hdf5_driver.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <limits>

#include "slipstick/base/error.hpp"

namespace slipstick::internal {
namespace {

// What the access properties carry.
struct DriverInfo {
  Hdf5WriteStatus* status;
};

// HDF5 knows the first member alone.
struct OpenFile {
  H5FD_t shared;
  int descriptor;
  haddr_t allocated;  ///< end of the addresses that HDF5 has given away
  haddr_t end;        ///< end of what was written
  Hdf5WriteStatus* status;
};

constexpr haddr_t largest_address = static_cast<haddr_t>(std::numeric_limits<off_t>::max());

OpenFile& self(H5FD_t* file) {
  return *reinterpret_cast<OpenFile*>(file);
}
const OpenFile& self(const H5FD_t* file) {
  return *reinterpret_cast<const OpenFile*>(file);
}

H5FD_t* open_file(const char* name, unsigned flags, hid_t access, haddr_t) {
  const auto* info = static_cast<const DriverInfo*>(H5Pget_driver_info(access));
  if (info == nullptr || (flags & H5F_ACC_RDWR) == 0) return nullptr;
  int mode = O_RDWR | O_CLOEXEC;
  if ((flags & H5F_ACC_CREAT) != 0) mode |= O_CREAT;
  if ((flags & H5F_ACC_TRUNC) != 0) mode |= O_TRUNC;
  if ((flags & H5F_ACC_EXCL) != 0) mode |= O_EXCL;
  const int descriptor = ::open(name, mode, 0666);
  if (descriptor < 0) {
    info->status->error = errno;
    return nullptr;
  }
  const off_t end = ::lseek(descriptor, 0, SEEK_END);
  return &(new OpenFile{{}, descriptor, 0, static_cast<haddr_t>(std::max<off_t>(end, 0)), info->status})
              ->shared;
}

herr_t close_file(H5FD_t* file) {
  OpenFile& f = self(file);
  if (::close(f.descriptor) != 0 && f.status->error == 0) f.status->error = errno;
  delete &f;
  return 0;
}

// The features of HDF5's own driver. They decide how data lie in the file.
herr_t query_features(const H5FD_t*, unsigned long* flags) {
  *flags = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_ACCUMULATE_METADATA | H5FD_FEAT_DATA_SIEVE |
           H5FD_FEAT_AGGREGATE_SMALLDATA;
  return 0;
}

haddr_t get_allocated(const H5FD_t* file, H5FD_mem_t) {
  return self(file).allocated;
}
herr_t set_allocated(H5FD_t* file, H5FD_mem_t, haddr_t address) {
  self(file).allocated = address;
  return 0;
}
haddr_t get_end(const H5FD_t* file, H5FD_mem_t) {
  return self(file).end;
}

herr_t read_bytes(H5FD_t* file, H5FD_mem_t, hid_t, haddr_t address, std::size_t size, void* buffer) {
  char* to = static_cast<char*>(buffer);
  while (size > 0) {
    const ssize_t count = ::pread(self(file).descriptor, to, size, static_cast<off_t>(address));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return -1;
    if (count == 0) {  // behind the end
      std::memset(to, 0, size);
      return 0;
    }
    to += count;
    size -= static_cast<std::size_t>(count);
    address += static_cast<haddr_t>(count);
  }
  return 0;
}

herr_t write_bytes(H5FD_t* file, H5FD_mem_t, hid_t, haddr_t address, std::size_t size, const void* buffer) {
  OpenFile& f = self(file);
  const char* from = static_cast<const char*>(buffer);
  f.end = std::max(f.end, address + size);
  while (size > 0 && f.status->error == 0) {
    const ssize_t count = ::pwrite(f.descriptor, from, size, static_cast<off_t>(address));
    if (count < 0) {
      if (errno != EINTR) f.status->error = errno;
      continue;
    }
    from += count;
    size -= static_cast<std::size_t>(count);
    address += static_cast<haddr_t>(count);
  }
  return 0;
}

herr_t truncate_file(H5FD_t* file, hid_t, hbool_t) {
  OpenFile& f = self(file);
  if (f.allocated == f.end) return 0;
  if (f.status->error == 0 && ::ftruncate(f.descriptor, static_cast<off_t>(f.allocated)) != 0)
    f.status->error = errno;
  f.end = f.allocated;
  return 0;
}

hid_t register_driver() {
  H5FD_class_t driver{};
#ifdef H5FD_CLASS_VERSION  // HDF5 1.14
  driver.version = H5FD_CLASS_VERSION;
  driver.value = static_cast<H5FD_class_value_t>(511);  // one of those for drivers outside the library
#endif
  driver.name = "slipstick";
  driver.maxaddr = largest_address;
  driver.fc_degree = H5F_CLOSE_WEAK;
  driver.fapl_size = sizeof(DriverInfo);
  driver.open = open_file;
  driver.close = close_file;
  driver.query = query_features;
  driver.get_eoa = get_allocated;
  driver.set_eoa = set_allocated;
  driver.get_eof = get_end;
  driver.read = read_bytes;
  driver.write = write_bytes;
  driver.truncate = truncate_file;
  constexpr H5FD_mem_t map[] = H5FD_FLMAP_DICHOTOMY;
  std::copy(std::begin(map), std::end(map), std::begin(driver.fl_map));
  return H5FDregister(&driver);
}

}  // namespace

Hdf5Handle remembering_driver(Hdf5WriteStatus& status) {
  static const hid_t driver = register_driver();
  const DriverInfo info{&status};
  Hdf5Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  if (driver < 0 || !access.valid() || H5Pset_driver(access.id(), driver, &info) < 0)
    fail("HDF5 does not take a file driver");
  return access;
}

}  // namespace slipstick::internal
