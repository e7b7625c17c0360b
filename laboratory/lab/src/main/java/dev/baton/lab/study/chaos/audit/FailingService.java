package dev.baton.lab.study.chaos.audit;

import dev.baton.Message;
import dev.baton.Outlet;
import dev.baton.Service;

/** Fails at every {@value #EVERY}th numbered message, which creates dead letters, and forwards the others. Confined to its loop. */
public final class FailingService implements Service {
    /** Rare enough that waiting for stored letters slows no chain down: five in a second of a thousand messages. */
    public static final int EVERY = 211;

    /** {@return whether it fails at the message with this number} */
    public static boolean isFailing(long number) {
        return number % EVERY == 0;
    }

    @Override
    public void onMessage(Message in, Outlet out) {
        long number = in.getLong(0);
        if (isFailing(number)) {
            throw new IllegalArgumentException("number " + number + " is a multiple of " + EVERY);
        }
        out.forward(in);
    }
}
