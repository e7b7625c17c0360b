package dev.baton.engine.cycle;

import dev.baton.Service;
import dev.baton.ServiceFailure;
import dev.baton.engine.writing.DroppingWriter;
import dev.baton.engine.writing.TickWriter;
import dev.baton.engine.writing.WriterOutlet;
import dev.baton.spi.Cause;
import dev.baton.spi.TopicWriter;

/** Calls a service where no message does: its ticks, its last call, and both once more after a restart. Confined to its loop. */
public final class CallsByTime {
    private interface Body {
        int run() throws Exception;
    }

    private final ServiceCalls calls;
    private final Service service;
    private final boolean ticks;
    private final TopicWriter writer;
    private final WriterOutlet outlet;
    private final TickWriter tickWriter; // null for a service that holds nothing
    private final DroppingWriter dropper; // of what is stored
    private final WriterOutlet dropping; // through it
    private final PartContext context;

    CallsByTime(
            ServiceCalls calls,
            ServicePlan plan,
            TopicWriter writer,
            WriterOutlet outlet,
            TickWriter tickWriter,
            DroppingWriter dropper,
            WriterOutlet dropping,
            PartContext context) {
        this.calls = calls;
        this.service = plan.service();
        this.ticks = plan.ticks();
        this.writer = writer;
        this.outlet = outlet;
        this.tickWriter = tickWriter;
        this.dropper = dropper;
        this.dropping = dropping;
        this.context = context;
    }

    /** Gives a tick of now. */
    int tick(long cause) {
        return call(cause, () -> {
            if (tickWriter == null) {
                return service.onTick(outlet);
            }
            tickWriter.begin(context.tickWallNanos());
            int work = service.onTick(outlet);
            tickWriter.end();
            return work;
        });
    }

    /** Gives the last call. */
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

    /** Repeats a tick of a time whose outputs are stored in part. */
    void again(Redelivery redelivery, long nanos) throws Exception {
        context.beginTick(nanos);
        context.repeatTick();
        dropper.begin(true);
        dropping.beginServiceTick(Cause.ofTick(redelivery.last()), nanos);
        while (ticks && dropper.left() > 0 && service.onTick(dropping) > 0) {
            dropping.end();
        }
        if (redelivery.endsWithClosing() && dropper.left() > 0) {
            service.onClosing(dropping);
            dropping.end();
        }
        context.endTick();
    }
}
