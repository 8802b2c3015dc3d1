"""Tests of the C++ library: what g++ makes of its own headers, we make of ours."""
