package dev.baton.lab.trial;

import dev.baton.measuring.NanoClock;
import dev.baton.measuring.RecorderPool;

/** What both ends of an instance measure with: {@link Instruments} on a clock, for any thread. */
record Meters(Window window, NanoClock clock, RecorderPool recorders, long highestNanos) {}
