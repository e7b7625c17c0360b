package dev.baton.simulation;

import java.util.logging.Level;
import java.util.logging.Logger;

/** A logger that suppresses core's messages, which the account checks itself. */
final class Quiet {
    private static final Logger CORE =
            Logger.getLogger("dev.baton"); // kept: a logger that nobody holds forgets its level

    private Quiet() {}

    static void core() {
        CORE.setLevel(Level.OFF);
    }
}
