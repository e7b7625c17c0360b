package dev.baton.simulation;

import static dev.baton.simulation.defects.Edit.COMPLETED;
import static dev.baton.simulation.defects.Edit.NULL;
import static dev.baton.simulation.defects.Edit.OMITTED;
import static dev.baton.simulation.defects.Edit.RECEIVER;
import static dev.baton.simulation.defects.Edit.field;
import static dev.baton.simulation.defects.Edit.is;
import static dev.baton.simulation.defects.Edit.plus;
import static dev.baton.simulation.defects.MethodChange.in;

import dev.baton.simulation.plan.Rule;
import java.util.List;

/** All planted defects. Each has to be found. */
final class Flaws {
    private static final String CORE = "dev.baton.";
    private static final String HERE = "dev.baton.simulation.world.";
    private static final String ANSWERED = CORE + "engine.recovery.ProcessedInputs";
    private static final String PART = CORE + "engine.cycle.DutyCycle";
    private static final String CALLS = CORE + "engine.cycle.ServiceCalls";
    private static final String CONCURRENT = CORE + "engine.cycle.ConcurrentCalls";
    private static final String RETRIES = CORE + "engine.cycle.RetryTopic";
    private static final String PENDING = CORE + "engine.cycle.Acknowledgements";
    private static final String INPUT_END = CORE + "engine.cycle.InputEnd";
    private static final String CHAIN = CORE + "engine.ChainRun";
    private static final String OPENING = CORE + "engine.SectionOpening";
    private static final String ASSIGNED = CORE + "engine.AssignedPartitions";
    private static final String LOOP = CORE + "engine.loop.Loop";
    private static final String INLET = CORE + "engine.inlet.ThreadInlet";
    private static final String SOURCE = CORE + "engine.inlet.SourcePart";
    private static final String SHARED = CORE + "engine.inlet.SharedSource";
    private static final String OUTLET = CORE + "engine.writing.WriterOutlet";
    private static final String STATE = CORE + "engine.snapshots.StatefulPart";
    private static final String KEYED = CORE + "engine.state.KeyedEntries";
    private static final String REQUESTS = CORE + "engine.inlet.OpenRequests";
    private static final String REQUEST_CALLS = CORE + "engine.cycle.RequestCalls";
    private static final String HISTORY = CORE + "engine.RequestHistory";
    private static final String REPLY_READERS = CORE + "engine.ReplyReaders";
    private static final String SNAPSHOTS = CORE + "engine.snapshots.Snapshots";
    private static final String SNAPSHOT_SCAN = CORE + "engine.snapshots.SnapshotScan";
    private static final String MERGE_SHARE = CORE + "engine.writing.MergeShare";
    private static final String MERGED = CORE + "engine.writing.MergedProgress";
    private static final String SIM_WRITER = HERE + "SimWriter";
    private static final String SIM_READER = HERE + "SimReader";
    private static final String SIM_TOPIC = HERE + "SimTopic";
    private static final String SIM_CONSUMER = HERE + "SimTopic$Consumer";
    private static final long LATER_NANOS = 1_000_000_000_000L; // later than any schedule lasts

    static final List<Flaw> ALL = List.of(
            // Edges of the input
            Flaw.of("identity-ignored", in(ANSWERED, "find").call("isOther", is(false)))
                    .rare(496),
            Flaw.of(
                            "copy-with-fewer-writers",
                            in(CORE + "spi.Incarnation", "countAfter").parameter(1, is(0)))
                    .rare(8623),
            Flaw.of("author-ignored", in(ANSWERED, "check").doesNothing()).rare(245),
            Flaw.of("answers-not-said", in(PART, "authorChanged").call("FrameWriter.answers", OMITTED)),
            Flaw.of("inputs-passed-over-are-said", in(PART, "authorChanged").call("InputRef.incarnation", is(0)))
                    .rare(18_029),
            Flaw.of("half-an-answer-counts", in(ANSWERED, "<init>").parameter(4, is(true)))
                    .rare(376),
            Flaw.of("drop-one-more", in(PART, "<init>").writes("dropUpTo", plus(1))),
            Flaw.of("drop-one-less", in(PART, "<init>").writes("dropUpTo", plus(-1))),
            Flaw.of("nothing-dropped", in(PART, "<init>").writes("dropUpTo", is(0))),
            Flaw.of("cause-off-by-one", in(OUTLET, "beginInput").writes("cause", plus(-1))),
            Flaw.of("cause-of-tick-off-by-one", in(PART, "lastInput").reads("consumed", plus(-1)))
                    .with(Rule.INVENTED),
            // Services that hold inputs
            Flaw.of("held-is-acknowledged", in(PENDING, "answered").parameter(2, is(Long.MAX_VALUE))),
            Flaw.of("hold-ends-before-it-is-stored", in(PENDING, "settle").passes("answered", field("wanted"))),
            Flaw.of("held-is-sent-again", in(CALLS, "begun").reads("redelivery", NULL)),
            Flaw.of(
                    "nothing-comes-again",
                    in(CORE + "engine.recovery.Redelivery", "of").returns(NULL)),
            Flaw.of("redelivery-ends-early", in(CALLS, "endInput").call("last", plus(-1))),
            Flaw.of("redelivery-never-ends", in(CALLS, "endRedelivery").writes("redelivery", OMITTED)),
            Flaw.of("held-position-off-by-one", in(PENDING, "answered").passes("slot", plus(1))),
            Flaw.of("tick-is-not-repeated", in(CALLS, "repeatTick").doesNothing()),
            // Acknowledgement
            Flaw.of("acknowledged-before-stored", in(PENDING, "settle").parameter(0, plus(1))),
            Flaw.of("acknowledged-unasked", in(PART, "answer").call("storedSequence", is(Long.MAX_VALUE))),
            Flaw.of("pending-notes-one-less", in(PENDING, "note").parameter(2, plus(-1))),
            // Concurrent calls
            Flaw.of("unfinished-is-acknowledged", in(CONCURRENT, "turn").passes("holdFrom", is(Long.MAX_VALUE))),
            Flaw.of("settled-at-work", in(CONCURRENT, "trySettle").reads("hasEnded", is(true))),
            Flaw.of("key-not-awaited", in(CONCURRENT, "add").call("Map.remove", NULL))
                    .with(Rule.ORDER),
            Flaw.of("key-not-released", in(CONCURRENT, "release").call("call", OMITTED)),
            Flaw.of("ended-call-does-not-wake", in(CONCURRENT, "call").call("wake", OMITTED)),
            // Asynchronous services
            Flaw.of(
                            "stage-that-exceeded-its-time-ends-again",
                            in(CONCURRENT, "stageEnded").reads("stage", NULL))
                    .rare(4179),
            Flaw.of(
                            "stage-is-not-cancelled-at-close",
                            in(CONCURRENT, "tryClose").call("Stream.forEach", OMITTED))
                    .with(Rule.LEFT_BEHIND),
            Flaw.of("stage-is-not-awaited", in(CONCURRENT, "turn").call("takeStage", NULL)),
            // Requests
            Flaw.of(
                            "reply-to-another-asker-is-taken",
                            in(REQUESTS, "received").call("asker", is(0)),
                            in(REQUESTS, "received").reads("asker", is(0)))
                    .with(Rule.REPLIED_WRONGLY)
                    .rare(243),
            Flaw.of("requests-have-one-number", in(REQUESTS, "ask").call("incrementAndGet", is(1)))
                    .with(Rule.REPLIED_WRONGLY),
            Flaw.of(
                            "filtered-request-gets-no-reply",
                            in(REQUEST_CALLS, "handled").doesNothing())
                    .with(Rule.LOST),
            Flaw.of(
                            "request-given-up-gets-no-reply",
                            in(CALLS, "consumeIfLetterIsStored").call("giveUp", OMITTED))
                    .with(Rule.LOST)
                    .rare(7_624),
            Flaw.of(
                    "service-is-called-for-a-reply",
                    in(REQUEST_CALLS, "isForService").returns(is(true))),
            Flaw.of(
                            "outputs-of-concurrent-calls-belong-to-no-request",
                            in(CALLS, "write").call("RequestCalls.begin", OMITTED))
                    .with(Rule.LOST),
            Flaw.of("timeout-of-a-reply-is-not-cancelled", in(REQUESTS, "freed").call("cancel", OMITTED))
                    .with(Rule.LEFT_BEHIND),
            Flaw.of("requests-stay-open-after-their-chain", in(REQUESTS, "end").call("queue", NULL))
                    .with(Rule.LEFT_BEHIND)
                    .rare(855),
            Flaw.of(
                            "reader-of-replies-is-not-forgotten",
                            in(REPLY_READERS, "forget").call("forgetConsumer", OMITTED))
                    .with(Rule.LEFT_BEHIND),
            Flaw.of(
                            "requests-that-fail-to-open-leave-a-reader",
                            in(REPLY_READERS, "open").call("Failures.after", OMITTED))
                    .rare(23_164)
                    .with(Rule.LEFT_BEHIND),
            // Resends of requests
            Flaw.of("resend-is-sent", in(REQUESTS, "ask").call("Added.isFirst", is(true)))
                    .with(Rule.REPEATED),
            Flaw.of(
                            "requests-of-earlier-starts-are-not-known",
                            in(REQUESTS, "sent").doesNothing())
                    .with(Rule.REPEATED),
            Flaw.of("newest-request-is-not-known", in(HISTORY, "read").call("newestSequence", plus(-1))),
            Flaw.of(
                            "replies-of-earlier-starts-are-not-known",
                            in(REQUESTS, "stored").doesNothing())
                    .with(Rule.LOST),
            Flaw.of(
                            "reader-of-earlier-requests-is-not-forgotten",
                            in(HISTORY, "read").call("ReplyReaders.forget", OMITTED))
                    .with(Rule.LEFT_BEHIND),
            // Retries per key
            Flaw.of("set-aside-is-not-stored", in(RETRIES, "store").call("storedSequence", is(Long.MAX_VALUE)))
                    .rare(775),
            Flaw.of("batch-is-not-stored", in(RETRIES, "tryEndRecord").call("storedSequence", is(Long.MAX_VALUE)))
                    .rare(4510),
            Flaw.of("set-aside-is-not-answered", in(ANSWERED, "find").call("isNewer", is(false)))
                    .rare(455),
            Flaw.of("batch-counts-whole", in(RETRIES, "loaded").passes("remove", is(Long.MAX_VALUE)))
                    .rare(1_397),
            Flaw.of("batch-counts-never", in(RETRIES, "loaded").passes("remove", is(-1)))
                    .rare(2448),
            Flaw.of("batch-is-not-corrected", in(RETRIES, "loaded").writes("isCorrecting", OMITTED))
                    .rare(1397),
            Flaw.of("key-of-set-aside-passes", in(RETRIES, "takes").call("containsKey", is(false)))
                    .with(Rule.ORDER),
            Flaw.of(
                            "retries-count-as-read-without-a-frame",
                            in(RETRIES, "readBack").reads("lastAtOpen", is(0)))
                    .rare(5_848),
            Flaw.of(
                    "set-aside-is-acknowledged",
                    in(RETRIES, "isAnswered").call("containsKey", is(false)),
                    in(RETRIES, "isAnswered").reads("asideNumber", is(0))),
            // Failures
            Flaw.of("failed-chain-goes-on", in(CORE + "engine.Section", "sweep").call("ChainState.failure", NULL))
                    .with(Rule.FAILED_RUNS)
                    .rare(112),
            Flaw.of("failed-preparation-not-removed", in(OPENING, "hasEnded").reads("newest", NULL))
                    .with(Rule.LEFT_BEHIND),
            Flaw.of("slow-open-not-removed", in(OPENING, "remove").call("Loop.remove", COMPLETED))
                    .with(Rule.LEFT_BEHIND),
            Flaw.of(
                            "rewind-forgotten",
                            in(CORE + "engine.writing.FrameWriter", "rollBack").call("rewind", OMITTED))
                    .rare(50),
            Flaw.of("abort-forgotten", in(OUTLET, "rollBack").call("abort", OMITTED))
                    .rare(12),
            Flaw.of("retries-not-reset", in(CALLS, "endInput").writes("attempts", OMITTED))
                    .rare(140),
            Flaw.of("failed-is-consumed", in(CALLS, "afterFailure").call("applyPolicy", is(true))),
            Flaw.of("dead-letter-keeps-attempts", in(CALLS, "afterFailure").call("consume", OMITTED))
                    .rare(4172),
            Flaw.of(
                            "letter-not-awaited",
                            in(CORE + "engine.cycle.DeadLetterTopic", "isStored")
                                    .call("storedSequence", is(Long.MAX_VALUE)))
                    .rare(326),
            Flaw.of("failed-open-not-closed", in(LOOP, "closingOnFailure").call("closeQuietly", OMITTED)),
            Flaw.of(
                            "prepared-open-not-withdrawn",
                            in(CORE + "engine.writing.PendingOpens", "withdraw").call("withdraw", OMITTED))
                    .with(Rule.LEFT_BEHIND),
            Flaw.of(
                    "connection-not-closed",
                    in(CORE + "engine.loop.LoopConnections", "release").call("close", OMITTED)),
            // Closing
            Flaw.of(
                    "drained-at-once",
                    in(CORE + "engine.cycle.Part", "checkDrained").call("isDrained", is(true))),
            Flaw.of("drained-one-early", in(INPUT_END, "isReached").parameter(0, plus(1))),
            Flaw.of("inlet-ends-one-early", in(INLET, "isStored").writes("drainedAt", plus(-1))),
            Flaw.of("closed-inlet-asks-its-writer", in(INLET, "isStored").call("thread", field("owner")))
                    .with(Rule.CONFINED),
            Flaw.of("inlet-not-stopped", in(CHAIN, "beginClose").call("stop", OMITTED)),
            Flaw.of(
                    "deadline-is-drained",
                    in(CHAIN, "hasSettled").call("isStored", is(true)),
                    in(CHAIN, "hasSettled").call("allMatch", is(true))),
            Flaw.of("no-deadline", in(CORE + "engine.Closing", "drain").parameter(1, plus(LATER_NANOS)))
                    .rare(159),
            Flaw.of("drained-where-unknown", in(INPUT_END, "isReached").reads("hasFoundNothing", is(true)))
                    .rare(944)
                    .with(Rule.LOST),
            Flaw.of("refused-is-nothing", in(PART, "onFrame").writes("isRefused", OMITTED))
                    .rare(944)
                    .with(Rule.LOST),
            Flaw.of("close-waits-for-slow-inlet", in(INLET, "stop").call("tryLeaveToOwner", OMITTED))
                    .rare(40_495),
            Flaw.of("partitions-have-no-time-to-drain", in(ASSIGNED, "revoked").call("toNanos", is(0)))
                    .with(Rule.OVERDUE)
                    .rare(159),
            Flaw.of(
                    "loops-not-stopped",
                    in(CORE + "engine.loop.LoopPool", "close").call("Loop.stop", OMITTED)),
            Flaw.of("partition-not-closed", in(ASSIGNED, "close").call("together", OMITTED)),
            Flaw.of("first-partitions-stay-open", in(CHAIN, "awaitRestored").call("close", OMITTED))
                    .rare(1_016),
            // Entrances
            Flaw.of("source-not-flushed", in(SOURCE, "doWork").call("flush", OMITTED)),
            Flaw.of("source-publishes-and-throws", in(SOURCE, "tick").call("rollBack", OMITTED))
                    .with(Rule.INVENTED)
                    .rare(109),
            Flaw.of(
                    "inlet-ring-skips-a-message",
                    in(CORE + "engine.inlet.StagingRing", "onTick").passes("setRelease", plus(1))),
            Flaw.of("inlet-not-flushed", in(INLET, "flush").call("TopicWriter.flush", OMITTED)),
            Flaw.of(
                    "shared-loses-the-next",
                    in(SHARED, "onTick").reads("next", NULL).first()),
            Flaw.of(
                    "shared-is-not-holding",
                    in(SHARED, "isOwed").call("isWaiting", is(false)),
                    in(SHARED, "isOwed").call("isEmpty", is(true))),
            Flaw.of(
                    "shared-does-not-wake",
                    in(CORE + "engine.inlet.InletQueue", "offer").call("run", OMITTED)),
            Flaw.of("inlet-does-not-wake", in(INLET, "flush").call("wake", OMITTED)),
            Flaw.of("source-does-not-wake", in(SOURCE, "doWork").call("wake", OMITTED))
                    .rare(126),
            Flaw.of("stage-does-not-wake", in(PART, "flushBatch").call("wakeNext", OMITTED))
                    .rare(113),
            Flaw.of("command-does-not-wake", in(LOOP, "command").call("rouse", OMITTED)),
            // Services with state
            Flaw.of("acknowledged-by-outputs", in(PENDING, "acknowledgeNothing").doesNothing())
                    .with(Rule.ACKNOWLEDGED_EARLY),
            Flaw.of(
                            "acknowledged-by-the-newest-snapshot",
                            in(SNAPSHOTS, "releasedInput").reads("older", field("newest")))
                    .with(Rule.ACKNOWLEDGED_EARLY),
            Flaw.of(
                            "snapshot-counts-before-it-is-stored",
                            in(SNAPSHOTS, "write").call("storedSequence", is(Long.MAX_VALUE)))
                    .with(Rule.ACKNOWLEDGED_EARLY),
            Flaw.of("snapshots-are-trimmed-too-far", in(SNAPSHOTS, "trim").reads("older", field("newest")))
                    .with(Rule.ACKNOWLEDGED_EARLY),
            Flaw.of(
                            "snapshot-is-ahead-of-outputs",
                            in(CORE + "engine.snapshots.SnapshotWriting", "turn")
                                    .parameter(0, is(Long.MAX_VALUE)))
                    .with(Rule.ACKNOWLEDGED_EARLY),
            Flaw.of("torn-snapshot-is-kept", in(SNAPSHOT_SCAN, "read").writes("chunks", OMITTED))
                    .with(Rule.DIVERGED)
                    .rare(167),
            Flaw.of(
                            "damaged-snapshot-counts",
                            in(SNAPSHOT_SCAN, "end").call("checksum", is(0)),
                            in(SNAPSHOT_SCAN, "end").call("getValue", is(0)))
                    .with(Rule.DIVERGED)
                    .rare(2_508),
            Flaw.of("state-gets-its-inputs-again", in(STATE, "findState").call("input", is(0)))
                    .with(Rule.DIVERGED),
            Flaw.of(
                            "outputs-behind-a-snapshot-come-again",
                            in(STATE, "redeliver").call("ownOutputs", is(0)))
                    .with(Rule.REPEATED),
            Flaw.of("one-output-less-is-dropped", in(STATE, "redeliver").call("ownOutputs", plus(-1))),
            Flaw.of(
                            "inputs-while-a-state-is-saved",
                            in(STATE, "doWork").call("isSaving", is(false)),
                            in(STATE, "doWork").call("isWriting", is(false)))
                    .rare(599),
            Flaw.of("snapshot-while-inputs-come-again", in(STATE, "hasChanged").call("isRedelivering", is(false)))
                    .rare(1_079),
            // Keyed state
            Flaw.of("removed-key-is-not-saved", in(KEYED, "remove").call("isInSnapshot", is(false)))
                    .with(Rule.DIVERGED)
                    .rare(380),
            Flaw.of("replaced-value-is-not-saved", in(KEYED, "retire").reads("cursor", field("ends")))
                    .with(Rule.DIVERGED)
                    .rare(1_534),
            Flaw.of("restored-values-are-in-wrong-order", in(KEYED, "restore").reads("anchor", field("ends")))
                    .with(Rule.DIVERGED)
                    .rare(380),
            Flaw.of("value-is-written-with-a-later-one", in(KEYED, "cut").writes("since", plus(1)))
                    .with(Rule.DIVERGED)
                    .rare(148),
            Flaw.of(
                            "failed-call-changes-state",
                            in(CORE + "engine.state.KeyedStates", "rollBack").call("forEach", OMITTED))
                    .with(Rule.DIVERGED),
            Flaw.of(
                            "changes-are-restored-without-base",
                            in(SNAPSHOTS, "newestState").reads("previous", NULL))
                    .with(Rule.DIVERGED)
                    .rare(148),
            // Merges and branches
            Flaw.of("merge-knows-one-input-at-reopening", in(MERGED, "recover").passes("arraycopy", is(25)))
                    .with(Rule.REPEATED),
            Flaw.of(
                    "merged-frame-does-not-contain-itself",
                    in(MERGE_SHARE, "complete").call("set", OMITTED)),
            Flaw.of("merge-takes-causes-of-all", in(MERGE_SHARE, "<init>").call("TopicEnd.of", RECEIVER)),
            Flaw.of("merge-forgets-which-topics", in(MERGED, "input").call("getLong", is(0)))
                    .rare(245),
            Flaw.of(
                    "merged-frame-names-the-first-input",
                    in(MERGE_SHARE, "complete").reads("index", is(0))),
            Flaw.of(
                            "foreign-end-is-counted-from-zero",
                            in(CORE + "engine.cycle.InputEnd$ForeignEnd", "drainedAt")
                                    .call("getAsLong", is(0))
                                    .first())
                    .with(Rule.LOST)
                    .rare(4460),
            Flaw.of(
                    "branch-takes-all",
                    in(CORE + "engine.plan.ForeignTopic", "filter").call("test", is(true))),
            // Owners
            Flaw.of(
                    "replaced-writer-counts",
                    in(CORE + "spi.support.FencingRule", "counts").returns(is(true))),
            Flaw.of(
                    "first-writer-stays",
                    in(CORE + "spi.support.FencingRule", "announce").writes("owner", OMITTED)),
            Flaw.of(
                            "frames-of-replaced-writer-are-stored",
                            in(SIM_WRITER, "heard").parameter(1, is(true)))
                    .with(Rule.ACKNOWLEDGED_EARLY)
                    .rare(396),
            Flaw.of("second-reader-let-in", in(SIM_READER, "open").reads("isExclusive", is(false))),
            Flaw.of("second-writer-let-in", in(SIM_WRITER, "open").reads("isExclusive", is(false))),
            // Storage
            Flaw.of("sync-stores-nothing", in(SIM_WRITER, "isSynced").writes("SimTopic.stored", OMITTED))
                    .with(Rule.LOST)
                    .rare(10698),
            Flaw.of(
                            "failed-sync-is-confirmed",
                            in(SIM_WRITER, "isSynced").returns(is(true)),
                            in(SIM_WRITER, "failure").reads("failed", NULL))
                    .with(Rule.LOST)
                    .rare(10_997),
            Flaw.of("flipped-position-is-followed", in(SIM_CONSUMER, "open").reads("older", field("flipped"))),
            Flaw.of(
                            "damage-is-taken-for-a-torn-end",
                            in(SIM_TOPIC, "requireWhole").reads("isDamaged", is(false)))
                    .rare(668),
            Flaw.of(
                            "end-of-topic-is-not-remembered",
                            in(SIM_TOPIC, "requireWhole").reads("remembered", is(0)))
                    .rare(426));

    private Flaws() {}

    static Flaw named(String name) {
        for (Flaw flaw : ALL) {
            if (flaw.name().equals(name)) {
                return flaw;
            }
        }
        throw new IllegalArgumentException("no flaw '" + name + "'; there are "
                + ALL.stream().map(Flaw::name).toList());
    }
}
