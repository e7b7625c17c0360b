package dev.baton.engine.cycle;

import dev.baton.engine.message.InboundMessage;
import dev.baton.engine.plan.PartPlan;
import dev.baton.engine.writing.TickWriter;
import dev.baton.engine.writing.WriterOutlet;
import dev.baton.run.Environment;
import dev.baton.spi.TopicWriter;

/**
 * The outputs of a service: the writer of its topic, and the outlet through which the service sends. Confined to its loop.
 *
 * @param ticks writer in front of the topic's, for the outputs of ticks; null for a service that holds no inputs
 */
record Outputs(TopicWriter writer, TickWriter ticks, WriterOutlet outlet) {
    static Outputs of(PartPlan plan, TopicWriter writer, Environment environment, InboundMessage message) {
        int most = plan.maxOutputs();
        TickWriter ticks = plan.service().holdsInputs() ? new TickWriter(writer, most) : null;
        TopicWriter sending = plan.writers().ofService(ticks == null ? writer : ticks, environment, message);
        return new Outputs(writer, ticks, new WriterOutlet(sending, most, environment, message));
    }

    /** Withdraws what a callback has sent after a sequence. */
    void rollBack(long before) {
        outlet.abortOpenClaim();
        if (ticks != null) {
            ticks.rollBack();
        }
        writer.rewind(before);
    }
}
