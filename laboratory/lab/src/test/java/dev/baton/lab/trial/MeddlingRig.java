package dev.baton.lab.trial;

import dev.baton.measuring.PayloadPattern;
import dev.baton.measuring.data.Stage;
import dev.baton.measuring.data.TransportProperties;
import dev.baton.measuring.rig.ChainEnds;
import dev.baton.measuring.rig.ChainRig;
import dev.baton.measuring.rig.MessageSink;
import dev.baton.measuring.rig.MessageSource;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.LongConsumer;

/** A rig in which something happens to every message just before it is received: on the thread of the last topic. */
final class MeddlingRig implements ChainRig {
    private final ChainRig rig;
    private final LongConsumer atMessage;

    /** @param atMessage told the number of each message of an instance: 1, 2, 3 ... */
    MeddlingRig(ChainRig rig, LongConsumer atMessage) {
        this.rig = rig;
        this.atMessage = atMessage;
    }

    @Override
    public TransportProperties properties() {
        return rig.properties();
    }

    @Override
    public void prepare(int instances) {
        rig.prepare(instances);
    }

    @Override
    public void start(ChainEnds instance) {
        rig.start(new Ends(instance));
    }

    @Override
    public Optional<Failure> failure() {
        return rig.failure();
    }

    @Override
    public void stop(Duration limit) {
        rig.stop(limit);
    }

    @Override
    public boolean isDrained(int instance) {
        return rig.isDrained(instance);
    }

    @Override
    public List<Stage> stages() {
        return rig.stages();
    }

    @Override
    public void close() {
        rig.close();
    }

    private final class Ends implements ChainEnds {
        private final ChainEnds ends;
        private long number;

        Ends(ChainEnds ends) {
            this.ends = ends;
        }

        @Override
        public int index() {
            return ends.index();
        }

        @Override
        public MessageSource generator() {
            return ends.generator();
        }

        @Override
        public PayloadPattern pattern() {
            return ends.pattern();
        }

        @Override
        public MessageSink receiver() {
            MessageSink sink = ends.receiver();
            return (origin, tag, hops, length, payload) -> {
                atMessage.accept(++number);
                sink.onMessage(origin, tag, hops, length, payload);
            };
        }
    }
}
