package dev.baton.engine.cycle;

import dev.baton.Service;
import dev.baton.ServiceFailure;
import dev.baton.TickingService;
import dev.baton.engine.plan.PartPlan;
import dev.baton.engine.recovery.Redelivery;
import dev.baton.engine.writing.DroppingWriter;
import dev.baton.engine.writing.TickWriter;
import dev.baton.engine.writing.WriterOutlet;
import dev.baton.spi.Cause;
import dev.baton.spi.TopicWriter;

/**
 * Makes the calls of a service that no message causes: its ticks, its last call, and the repetition of both after a
 * restart. Confined to its loop.
 */
public final class CallsByTime {
    private interface Body {
        int run() throws Exception;
    }

    private final ServiceCalls calls;
    private final Service service;
    private final TickingService ticking; // null: the service does not tick
    private final TopicWriter writer;
    private final WriterOutlet outlet;
    private final TickWriter tickWriter; // null for a service that holds no inputs
    private final DroppingWriter dropper; // drops outputs that are stored
    private final WriterOutlet dropping; // writes through the dropper
    private final PartContext context;

    CallsByTime(
            ServiceCalls calls,
            PartPlan plan,
            Outputs outputs,
            DroppingWriter dropper,
            WriterOutlet dropping,
            PartContext context) {
        this.calls = calls;
        this.service = plan.service();
        this.ticking = plan.ticking();
        this.writer = outputs.writer();
        this.outlet = outputs.outlet();
        this.tickWriter = outputs.ticks();
        this.dropper = dropper;
        this.dropping = dropping;
        this.context = context;
    }

    /** Calls the service's tick for the current time. */
    int tick(long cause) {
        return call(cause, () -> {
            if (tickWriter == null) {
                return ticking.onTick(outlet);
            }
            tickWriter.begin(context.tickWallNanos());
            int work = ticking.onTick(outlet);
            tickWriter.end();
            return work;
        });
    }

    /** Makes the last call. */
    void closing(long cause) {
        call(cause, () -> {
            service.onClosing(outlet);
            return 1;
        });
    }

    private int call(long cause, Body body) {
        long before = writer.sequence();
        context.beginTick();
        outlet.beginBatch();
        outlet.beginServiceTick(cause, context.tickNanos());
        try {
            int work = body.run();
            outlet.end();
            context.endTick();
            return work;
        } catch (Throwable thrown) {
            calls.rollBack(before);
            calls.failed(ServiceFailure.NO_MESSAGE, thrown);
            return 0;
        }
    }

    /** Repeats a tick whose outputs are only partly stored, with its original time. */
    void again(Redelivery redelivery, long nanos) throws Exception {
        context.beginTick(nanos);
        context.repeatTick();
        dropper.begin(true);
        dropping.beginServiceTick(Cause.ofTick(redelivery.last()), nanos);
        while (ticking != null && dropper.left() > 0 && ticking.onTick(dropping) > 0) {
            dropping.end();
        }
        if (redelivery.endsWithClosing() && dropper.left() > 0) {
            service.onClosing(dropping);
            dropping.end();
        }
        context.endTick();
    }
}
