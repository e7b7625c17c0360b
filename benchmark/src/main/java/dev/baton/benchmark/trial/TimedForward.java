package dev.baton.benchmark.trial;

import dev.baton.Message;
import dev.baton.Outlet;
import dev.baton.Service;

/** A service that forwards, and times one message of so many on its way. Confined to the loop of its stage. */
final class TimedForward implements Service {
    private final TimedPlace place;

    TimedForward(TimedPlace place) {
        this.place = place;
    }

    @Override
    public void onMessage(Message in, Outlet out) {
        if (place.isTimed(in)) {
            place.seen(in);
        }
        out.forward(in);
    }
}
