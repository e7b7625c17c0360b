package dev.baton.proofs;

import dev.baton.AcknowledgementsProof;
import dev.baton.InletOwnerProof;
import dev.baton.SharedInletProof;
import dev.baton.ThreadInletProof;
import dev.baton.chronicle.NewestSequenceProof;
import dev.baton.disruptor.RingEntryProof;
import dev.baton.disruptor.RingLapProof;
import dev.baton.disruptor.RingPublicationProof;
import dev.baton.disruptor.RingReuseProof;
import dev.baton.engine.inlet.StagingRingProof;
import dev.baton.engine.loop.LoopCommandProof;
import dev.baton.engine.loop.LoopWakeProof;
import dev.baton.kafka.write.AcknowledgementWakeProof;
import dev.baton.kafka.write.StoredSequenceProof;
import dev.baton.measuring.RecorderProof;
import dev.baton.measuring.SharedRecorderProof;
import java.util.List;

/**
 * The defects of the engine, proof by proof: at least one mutant for each.
 *
 * <p>x86 lets a load overtake an earlier store and keeps everything else in order, so of the mutants that only weaken an order it shows
 * only those that drop a full fence. It hides a plain store instead of a release store, or a plain load instead of an acquire load, unless
 * the compiler moves them, which it did not do here: those are marked hidden, and run where the processor can show them. The release and
 * acquire of the ring's cursor are the Disruptor's own. Immutable, thread-safe.
 */
final class Mutants {
    private static final String CORE = "core/src/main/java/dev/baton/";
    private static final String RING = "transport-disruptor/src/main/java/dev/baton/disruptor/";
    private static final String CHRONICLE = "transport-chronicle/src/main/java/dev/baton/chronicle/";
    private static final String KAFKA = "transport-kafka/src/main/java/dev/baton/kafka/";
    private static final String MEASURE = "laboratory/measuring/src/main/java/dev/baton/measuring/";

    static final List<Mutant> ALL = List.of(
            new Mutant(
                    "a frame is published before it is filled",
                    RingPublicationProof.class,
                    RING + "RingWriter.java",
                    "openClaim(maxLength);\n" + "        return",
                    "openClaim(maxLength);\n" + "        ring.publish(committed + 1);\n" + "        return",
                    false),
            new Mutant(
                    "a batch is published frame by frame",
                    RingPublicationProof.class,
                    RING + "RingWriter.java",
                    "        frame.sequence(sequence);\n" + "        return sequence;",
                    "        frame.sequence(sequence);\n" + "        publish();\n" + "        return sequence;",
                    false),
            new Mutant(
                    "a frame is acknowledged before it is read",
                    RingReuseProof.class,
                    RING + "RingReader.java",
                    "int slot = ring.slotOf(next);",
                    "consumer.acknowledged.set(next);\n" + "            int slot = ring.slotOf(next);",
                    false),
            new Mutant(
                    "a lap begins although a consumer is behind",
                    RingLapProof.class,
                    RING + "SlottedRing.java",
                    "if (raised == published && published >= lap) {",
                    "if (published >= lap) {",
                    false),
            new Mutant(
                    "the floor rises outside of the monitor",
                    RingEntryProof.class,
                    RING + "SlottedRing.java",
                    "synchronized (this) {\n" + "            floor = sequencer",
                    "synchronized (new Object()) {\n" + "            floor = sequencer",
                    false),
            new Mutant(
                    "a new consumer stays where the sequencer puts it",
                    RingEntryProof.class,
                    RING + "SlottedRing.java",
                    "consumer.acknowledged.set(floor);",
                    "",
                    false),
            new Mutant(
                    "an acknowledgement is counted without a full fence",
                    AcknowledgementWakeProof.class,
                    KAFKA + "write/FrameProducer.java",
                    "acknowledged.set(acknowledged.getPlain() + 1);",
                    "acknowledged.lazySet(acknowledged.getPlain() + 1);",
                    false),
            new Mutant(
                    "a writer without room does not report it",
                    AcknowledgementWakeProof.class,
                    KAFKA + "write/KafkaWriter.java",
                    "producer.starve(); //",
                    "//",
                    false),
            new Mutant(
                    "an acknowledgement is counted before its frame counts as stored",
                    StoredSequenceProof.class,
                    KAFKA + "write/KafkaWriter.java",
                    "if (stored.acknowledged(metadata.offset())) {\n"
                            + "                checkGap();\n"
                            + "            } else if (stored.isInDoubt()) {\n"
                            + "                topicIdMonitor.soon();\n"
                            + "            }\n"
                            + "            producer.acknowledged(size);",
                    "producer.acknowledged(size);\n" + "            stored.acknowledged(metadata.offset());",
                    false),
            new Mutant(
                    "the stored sequence is a plain store and a plain load",
                    AcknowledgementsProof.class,
                    KAFKA + "write/StoredFrames.java",
                    "private volatile long stored;",
                    "private long stored;",
                    true),
            new Mutant(
                    "an input is acknowledged one output early",
                    AcknowledgementsProof.class,
                    CORE + "engine/cycle/Acknowledgements.java",
                    "<= storedSequence) {",
                    "<= storedSequence + 1) {",
                    false),
            new Mutant(
                    "a writer goes in without a full fence",
                    RecorderProof.class,
                    MEASURE + "Passage.java",
                    "return getAndAdd(1);",
                    "long was = getPlain();\n" + "        setRelease(was + 1);\n" + "        return was;",
                    false),
            new Mutant(
                    "the reader does not wait for a writer inside",
                    RecorderProof.class,
                    MEASURE + "Passage.java",
                    "while ((seen & 1) != 0 &&",
                    "while (seen < 0 &&",
                    false),
            new Mutant(
                    "a writer comes out with a plain store",
                    RecorderProof.class,
                    MEASURE + "Passage.java",
                    "setRelease(token + 2);",
                    "setPlain(token + 2);",
                    true),
            new Mutant(
                    "a writer reads before it enters",
                    RecorderProof.class,
                    MEASURE + "LatencyRecorder.java",
                    "        long token = passage.enter();\n" + "        try {\n" + "            active.recordArrival(",
                    "        LatencyHistograms found = active;\n"
                            + "        long token = passage.enter();\n"
                            + "        try {\n"
                            + "            found.recordArrival(",
                    false),
            new Mutant(
                    "one of two writers reads before it enters",
                    SharedRecorderProof.class,
                    MEASURE + "LatencyRecorder.java",
                    "        long token = passage.enter();\n" + "        try {\n" + "            active.recordArrival(",
                    "        LatencyHistograms found = active;\n"
                            + "        long token = passage.enter();\n"
                            + "        try {\n"
                            + "            found.recordArrival(",
                    false),
            new Mutant(
                    "a wake-up without a full fence",
                    LoopWakeProof.class,
                    CORE + "engine/loop/Loop.java",
                    "VarHandle.fullFence();\n" + "        if (parked",
                    "if (parked",
                    false),
            new Mutant(
                    "a loop parks without a last sweep",
                    LoopWakeProof.class,
                    CORE + "engine/loop/Loop.java",
                    "parked = true;\n" + "            VarHandle.fullFence();",
                    "parked = true;\n" + "            connections.await(pauseNanos);",
                    false),
            new Mutant(
                    "a command is not taken back",
                    LoopCommandProof.class,
                    CORE + "engine/loop/Loop.java",
                    "if (isStopping && commands.remove(command)) {",
                    "if (done.isCancelled()) {",
                    false),
            new Mutant(
                    "a foreign thread is checked before it enters, not after",
                    InletOwnerProof.class,
                    CORE + "engine/inlet/ThreadInlet.java",
                    "if (owner != null && owner != environment.thread()) {",
                    "if (state == null) {",
                    false),
            new Mutant(
                    "closing does not wait for the call in progress",
                    ThreadInletProof.class,
                    CORE + "engine/inlet/ThreadInlet.java",
                    "while (!state.compareAndSet(IDLE, CLOSED) && state.get() != CLOSED && !isLeftToOwner()) {\n"
                            + "            environment.spin();\n"
                            + "        }",
                    "state.set(CLOSED);",
                    false),
            new Mutant(
                    "a frame is released at its claim",
                    StagingRingProof.class,
                    CORE + "engine/inlet/StagingRing.java",
                    "return claimed.wrap(memory, start, maxLength);",
                    "lengths[index(committed + 1)] = maxLength;\n"
                            + "        RELEASED.setRelease(this, committed + 1);\n"
                            + "        return claimed.wrap(memory, start, maxLength);",
                    false),
            new Mutant(
                    "a message is not taken back",
                    SharedInletProof.class,
                    CORE + "engine/inlet/InletQueue.java",
                    "if (state.isEnding() && queue.remove(message)) {",
                    "if (maxPayload < 0) {",
                    false),
            new Mutant(
                    "the newest sequence is published before its frame is stored",
                    NewestSequenceProof.class,
                    CHRONICLE + "writing/ChronicleWriter.java",
                    "            batch.appendTo(",
                    "            log.newest(sequence);\n" + "            batch.appendTo(",
                    false));

    private Mutants() {}
}
