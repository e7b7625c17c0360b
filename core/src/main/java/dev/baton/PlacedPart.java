package dev.baton;

import dev.baton.run.Loop;

/** A part, the topic it reads (-1: none) and the loop it belongs on. */
record PlacedPart(int topic, Part part, Loop loop) {}
