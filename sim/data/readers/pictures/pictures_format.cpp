#include "sim/data/readers/file_format.hpp"
#include "sim/data/readers/pictures/picture.hpp"

namespace kinescope::sim {

extern const FileFormat pictures_format = {
    .name = "PNG, JPEG, BMP and TGA pictures",
    .endings = ".png .jpg .jpeg .bmp .tga",
    .fit = [](InputFile& file) { return fit_if(is_picture(file), Fit::certain); },
    .read = [](const SourceFile& source) { return read_picture(source); }};

}  // namespace kinescope::sim
