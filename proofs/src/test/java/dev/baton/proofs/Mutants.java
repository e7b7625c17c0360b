package dev.baton.proofs;

import static dev.baton.simulation.defects.Edit.OMITTED;
import static dev.baton.simulation.defects.Edit.by;
import static dev.baton.simulation.defects.Edit.field;
import static dev.baton.simulation.defects.Edit.is;
import static dev.baton.simulation.defects.Edit.method;
import static dev.baton.simulation.defects.Edit.plus;
import static dev.baton.simulation.defects.MethodChange.in;
import static dev.baton.simulation.defects.MethodChange.plain;

import dev.baton.AcknowledgementsProof;
import dev.baton.InletOwnerProof;
import dev.baton.SharedInletProof;
import dev.baton.ThreadInletProof;
import dev.baton.chronicle.NewestSequenceProof;
import dev.baton.chronicle.QueueDefects;
import dev.baton.disruptor.RingDefects;
import dev.baton.disruptor.RingEntryProof;
import dev.baton.disruptor.RingLapProof;
import dev.baton.disruptor.RingPublicationProof;
import dev.baton.disruptor.RingReuseProof;
import dev.baton.engine.inlet.InletDefects;
import dev.baton.engine.inlet.StagingRingProof;
import dev.baton.engine.loop.LoopCommandProof;
import dev.baton.engine.loop.LoopWakeProof;
import dev.baton.kafka.write.AcknowledgementWakeProof;
import dev.baton.kafka.write.StoredSequenceProof;
import dev.baton.measuring.RecorderDefects;
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
    private static final String RING = "dev.baton.disruptor.SlottedRing";
    private static final String RING_WRITER = "dev.baton.disruptor.RingWriter";
    private static final String KAFKA = "dev.baton.kafka.write.";
    private static final String LOOP = "dev.baton.engine.loop.Loop";
    private static final String INLET = "dev.baton.engine.inlet.ThreadInlet";
    private static final String RECORDER = "dev.baton.measuring.LatencyRecorder";
    private static final String PASSAGE = "dev.baton.measuring.Passage$OfOne";

    static final List<Mutant> ALL = List.of(
            Mutant.of(
                    "a frame is published before it is filled",
                    RingPublicationProof.class,
                    in(RING_WRITER, "frameAt").call("slotOf", by(RingDefects.class, "publishedSlot"))),
            Mutant.of(
                    "a batch is published frame by frame",
                    RingPublicationProof.class,
                    in(RING_WRITER, "commit").endsWith(by(RingDefects.class, "flush"))),
            Mutant.of(
                    "a slot is free before its frame is acknowledged",
                    RingReuseProof.class,
                    in(RING, "raiseFloor").call("getMinimumSequence", by(RingDefects.class, "newest"))),
            Mutant.of(
                    "a lap begins although a consumer is behind",
                    RingLapProof.class,
                    in(RING, "tryLap").call("raiseFloor", by(RingDefects.class, "newestAsFloor"))),
            Mutant.of(
                    "the floor rises outside of the monitor",
                    RingEntryProof.class,
                    in(RING, "raiseFloor").entersNoMonitor()),
            Mutant.of(
                    "a new consumer stays where the sequencer puts it",
                    RingEntryProof.class,
                    in(RING, "newConsumer").call("Sequence.set", OMITTED)),
            Mutant.of(
                    "an acknowledgement is counted without a full fence",
                    AcknowledgementWakeProof.class,
                    in(KAFKA + "FrameProducer", "acknowledged").call("AtomicLong.set", method("lazySet"))),
            Mutant.of(
                    "a writer without room does not report it",
                    AcknowledgementWakeProof.class,
                    in(KAFKA + "KafkaWriter", "remainingCapacity").call("starve", OMITTED)),
            Mutant.of(
                    "an acknowledged frame does not count as stored",
                    StoredSequenceProof.class,
                    in(KAFKA + "KafkaWriter", "onCompletion").call("StoredFrames.acknowledged", OMITTED)),
            Mutant.of(
                            "the stored sequence is a plain store and a plain load",
                            AcknowledgementsProof.class,
                            plain(KAFKA + "StoredFrames", "stored"))
                    .hidden(),
            Mutant.of(
                    "an input is acknowledged one output early",
                    AcknowledgementsProof.class,
                    in("dev.baton.engine.cycle.Acknowledgements", "settle").parameter(0, plus(1))),
            Mutant.of(
                    "a writer enters without a full fence",
                    RecorderProof.class,
                    in(PASSAGE, "enter").call("getAndAdd", by(RecorderDefects.class, "addReleased"))),
            Mutant.of(
                    "the reader does not wait for a writer inside",
                    RecorderProof.class,
                    in(PASSAGE, "awaitThoseInside").doesNothing()),
            Mutant.of(
                            "a writer leaves with a plain store",
                            RecorderProof.class,
                            in(PASSAGE, "exit").call("setRelease", method("setPlain")))
                    .hidden(),
            Mutant.of(
                    "a writer does not enter",
                    RecorderProof.class,
                    in(RECORDER, "recordArrival").call("Passage.enter", OMITTED),
                    in(RECORDER, "recordArrival").call("Passage.exit", OMITTED)),
            Mutant.of(
                    "neither of two writers enters",
                    SharedRecorderProof.class,
                    in(RECORDER, "recordArrival").call("Passage.enter", OMITTED),
                    in(RECORDER, "recordArrival").call("Passage.exit", OMITTED)),
            Mutant.of(
                    "a wake-up without a full fence",
                    LoopWakeProof.class,
                    in(LOOP, "wake").call("fullFence", OMITTED)),
            Mutant.of(
                    "a loop pauses without a mark",
                    LoopWakeProof.class,
                    in(LOOP, "pauseForNews").reads("parked", is(true))),
            Mutant.of(
                    "a command is not taken back",
                    LoopCommandProof.class,
                    in(LOOP, "command").reads("isStopping", is(false))),
            Mutant.of(
                    "a foreign thread is checked before it enters, not after",
                    InletOwnerProof.class,
                    in(INLET, "enter").call("thread", field("owner"))),
            Mutant.of(
                    "closing does not wait for the call in progress",
                    ThreadInletProof.class,
                    in(INLET, "stop").call("compareAndSet", by(InletDefects.class, "set"))),
            Mutant.of(
                    "a frame is released at its claim",
                    StagingRingProof.class,
                    in("dev.baton.engine.inlet.StagingRing", "claim").endsWith(by(InletDefects.class, "release"))),
            Mutant.of(
                    "a message is not taken back",
                    SharedInletProof.class,
                    in("dev.baton.engine.inlet.InletQueue", "offer").call("isEnding", is(false))),
            Mutant.of(
                    "the newest sequence is published before its frame is stored",
                    NewestSequenceProof.class,
                    in("dev.baton.chronicle.writing.ChronicleWriter", "append")
                            .call("holdClock", by(QueueDefects.class, "publishNext"))));

    private Mutants() {}
}
