package dev.baton.simulation;

import java.util.logging.Level;
import java.util.logging.Logger;

/** Suppresses the log of core, as the account checks what it reports. */
final class Quiet {
    private static final Logger CORE =
            Logger.getLogger("dev.baton"); // kept: a logger that nobody holds forgets its level

    private Quiet() {}

    static void core() {
        CORE.setLevel(Level.OFF);
    }
}
