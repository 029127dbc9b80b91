#pragma once

/* Included into every file of a simulated build, after SimGrid's own header. */
#undef exit
