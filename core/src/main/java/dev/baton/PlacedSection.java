package dev.baton;

import dev.baton.run.Loop;

/** A section and the loop that it runs on. */
record PlacedSection(Section section, Loop loop) {}
