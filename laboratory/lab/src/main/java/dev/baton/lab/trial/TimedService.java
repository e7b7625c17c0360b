package dev.baton.lab.trial;

import dev.baton.Message;
import dev.baton.Outlet;
import dev.baton.Service;

/** A service that does not tick, with one message of so many timed on its way. Confined to the loop of its stage. */
final class TimedService implements Service {
    private final TimedPlace place;
    private final Service service;

    TimedService(TimedPlace place, Service service) {
        this.place = place;
        this.service = service;
    }

    @Override
    public int maxOutputs() {
        return service.maxOutputs();
    }

    @Override
    public void onMessage(Message in, Outlet out) throws Exception {
        place.look(in);
        service.onMessage(in, out);
    }
}
