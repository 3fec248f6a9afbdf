# SPDX-License-Identifier: Apache-2.0
# Installs everything but programs and modules, and makes Debian packages of the components: cpack --preset release
# - mass-engine: the command, the models that ship, patterns, manuals
# - mass-engine-cuda: the module for GPUs; only if nvcc is found
# - mass-engine-mpi: the module for several processes; only if MPI is found
# - mass-engine-view: the module that serves a run to a browser; only if libmicrohttpd is found
# - mass-sdk: the files to build plugins with, and programs with the library
# - python3-mass: the Python module
#
# dpkg-shlibdeps finds the dependencies, so the packages are for the release of Debian on which they are built.
set(MASS_MAINTAINER "The mass-engine authors <root@localhost>" CACHE STRING "whom packages name as their maintainer")
include(GNUInstallDirs)
set(here ${CMAKE_CURRENT_LIST_DIR})

# The documents, and the files to which they have links: the examples and the models that ship, as source.
install(FILES README.md CHANGELOG.md CITATION.cff CONTRIBUTING.md LICENSE SECURITY.md TYPE DOC)
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY plugins DESTINATION ${CMAKE_INSTALL_DOCDIR} FILES_MATCHING PATTERN README.md PATTERN *.[ch])
install(DIRECTORY data DESTINATION ${CMAKE_INSTALL_DATADIR}/mass)
install(DIRECTORY data/slurm DESTINATION ${CMAKE_INSTALL_DOCDIR}/data) # where a page links to it
install(DIRECTORY docs/examples DESTINATION ${CMAKE_INSTALL_DATADIR}/mass COMPONENT mass-sdk)

set(CPACK_COMPONENTS_ALL mass-engine mass-sdk python3-mass)
if(TARGET cuda)
  list(APPEND CPACK_COMPONENTS_ALL mass-engine-cuda)
endif()
if(TARGET mpi)
  list(APPEND CPACK_COMPONENTS_ALL mass-engine-mpi)
endif()
if(TARGET view)
  list(APPEND CPACK_COMPONENTS_ALL mass-engine-view)
endif()
foreach(package ${CPACK_COMPONENTS_ALL})
  install(FILES ${here}/copyright DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${package} COMPONENT ${package})
  string(TOUPPER ${package} component)
  set(CPACK_DEBIAN_${component}_PACKAGE_NAME ${package})
endforeach()

set(CPACK_GENERATOR DEB)
set(CPACK_VERBATIM_VARIABLES ON)
set(CPACK_PACKAGE_CONTACT "${MASS_MAINTAINER}")
set(CPACK_PACKAGE_DIRECTORY ${CMAKE_BINARY_DIR}/packages)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE
    WORLD_READ WORLD_EXECUTE)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON) # and so ldconfig knows libmass
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "") # each package has its own
set(CPACK_DEBIAN_MASS-ENGINE_DESCRIPTION "${PROJECT_DESCRIPTION}
A model is a plugin, written once in C. The engine brings threads, GPU kernels, random numbers, agents that are
born and die, pictures, and checkpoints that a run resumes from. Life, Heat, Sugarscape and three more come with it.")
set(CPACK_DEBIAN_MASS-ENGINE_PACKAGE_SUGGESTS "gnuplot-nox, python3-h5py, mass-engine-cuda, mass-engine-mpi, \
mass-engine-view")
set(CPACK_DEBIAN_MASS-ENGINE-CUDA_DESCRIPTION "runs models of mass-engine on NVIDIA GPUs
The module that the engine loads where there is a GPU of compute capability 7.5 or more and its driver.")
set(CPACK_DEBIAN_MASS-ENGINE-CUDA_PACKAGE_DEPENDS "mass-engine (= ${PROJECT_VERSION})")
set(CPACK_DEBIAN_MASS-ENGINE-MPI_DESCRIPTION "runs models of mass-engine on many processes and machines
The module that the engine loads where mpirun or a batch system has started several ranks of a run.")
set(CPACK_DEBIAN_MASS-ENGINE-MPI_PACKAGE_DEPENDS "mass-engine (= ${PROJECT_VERSION}), openmpi-bin")
set(CPACK_DEBIAN_MASS-ENGINE-VIEW_DESCRIPTION "shows runs of mass-engine in a browser
The module that the engine loads for --view: it serves the page, pictures and numbers of a run to this host alone.")
set(CPACK_DEBIAN_MASS-ENGINE-VIEW_PACKAGE_DEPENDS "mass-engine (= ${PROJECT_VERSION})")
set(CPACK_DEBIAN_MASS-SDK_DESCRIPTION "headers and examples to write models for mass-engine
A CMake package, a pkg-config file, a template of a plugin, and the examples of the plugin guide.")
set(CPACK_DEBIAN_MASS-SDK_PACKAGE_ARCHITECTURE all)
set(CPACK_DEBIAN_MASS-SDK_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_MASS-SDK_PACKAGE_DEPENDS librandom123-dev)
set(CPACK_DEBIAN_MASS-SDK_PACKAGE_RECOMMENDS "gcc | clang, libc6-dev, cmake, pkg-config")
set(CPACK_DEBIAN_MASS-SDK_PACKAGE_SUGGESTS mass-engine)
set(CPACK_DEBIAN_PYTHON3-MASS_DESCRIPTION "runs models of mass-engine in Python
A module over the engine's library: places and agents are NumPy arrays, series are tables of pandas.")
set(CPACK_DEBIAN_PYTHON3-MASS_PACKAGE_ARCHITECTURE all)
set(CPACK_DEBIAN_PYTHON3-MASS_PACKAGE_SECTION python)
set(CPACK_DEBIAN_PYTHON3-MASS_PACKAGE_DEPENDS "mass-engine (= ${PROJECT_VERSION}), python3, python3-numpy")
set(CPACK_DEBIAN_PYTHON3-MASS_PACKAGE_SUGGESTS "python3-h5py, python3-pandas, python3-tqdm")
include(CPack)

# cmake --build FOLDER --target uninstall removes the files that cmake --install wrote last.
add_custom_target(uninstall VERBATIM
  COMMAND ${CMAKE_COMMAND} -D "MANIFEST=${CMAKE_BINARY_DIR}/install_manifest.txt" -P ${here}/../uninstall.cmake)
