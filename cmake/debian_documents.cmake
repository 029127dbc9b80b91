# The licence under the name that Debian has for it. CPack runs this before it makes the package.
set(documents ${CPACK_TEMPORARY_INSTALL_DIRECTORY}${CPACK_PACKAGING_INSTALL_PREFIX}/share/doc/tombolo)
file(COPY_FILE ${documents}/LICENSE ${documents}/copyright)
