# The types and inline functions of `_deal.pxd`, as this kernel compiles the search once more.

include "../../backtrick/face_to_face/_deal.pxd"
