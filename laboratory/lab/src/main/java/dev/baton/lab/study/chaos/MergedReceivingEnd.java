package dev.baton.lab.study.chaos;

import dev.baton.Merge;
import dev.baton.Message;
import dev.baton.RunningChain;
import dev.baton.Tap;
import dev.baton.run.Loops;
import dev.baton.spi.Transport;
import java.io.IOException;
import java.util.function.Consumer;

/** The receiver of a composed chain: taps the merged topic, and keeps a journal for each of its inputs. Threads as its parent. */
final class MergedReceivingEnd extends ReceivingEnd {
    private static final String CONSUMER = "receiver";

    private final Composition composition;
    private final Merge merge;
    private Arrivals.Journal rejects; // null while detached

    MergedReceivingEnd(Plan plan) {
        super(plan);
        composition = new Composition(plan.services());
        merge = composition.merge;
    }

    /** Name of the journal of rejected messages. @param journal name of that of the chain's output */
    static String rejects(String journal) {
        return journal + "-rejects";
    }

    @Override
    RunningChain start(Transport transport, Loops loops, Consumer<Throwable> onFailure) {
        begin();
        rejects = journal(rejects(plan.journal()));
        return Tap.on(transport)
                .topic(merge.topic())
                .as(CONSUMER)
                .with(loops)
                .onFailure(onFailure)
                .handle(this::takeMerged)
                .running();
    }

    private void takeMerged(Message in) throws IOException {
        if (merge.inputOf(in).equals(composition.output())) {
            take(in);
        } else {
            boolean isReadable = in.length() == NumberedMessage.BYTES;
            long number = isReadable ? NumberedMessage.number(in::getLong) : 0;
            rejects.add(new Arrivals.Arrival(
                    number,
                    number,
                    isReadable ? NumberedMessage.sentNanos(in::getLong) : 0,
                    System.nanoTime(),
                    life(),
                    NumberedMessage.isWhole(in::getLong, in.length(), plan.seed())));
        }
    }

    @Override
    void detach() {
        super.detach();
        close(rejects);
        rejects = null;
    }
}
