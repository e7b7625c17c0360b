package dev.baton.lab.trial;

import dev.baton.Message;
import dev.baton.OutputHandler;

/** The end of a chain that times one message of so many before it is received. Confined to the loop of the last topic. */
final class TimedOutput implements OutputHandler {
    private final TimedPlace place;
    private final InstanceOutput output;

    TimedOutput(TimedPlace place, InstanceOutput output) {
        this.place = place;
        this.output = output;
    }

    @Override
    public void onOutput(Message in) {
        if (place.isTimed(in)) {
            place.seen(in);
        }
        output.onOutput(in);
    }
}
