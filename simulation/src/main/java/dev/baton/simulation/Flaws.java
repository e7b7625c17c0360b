package dev.baton.simulation;

import dev.baton.simulation.plan.Rule;
import java.util.List;

/** All planted defects. Each has to be found. */
final class Flaws {
    private static final String CORE = "core/src/main/java/dev/baton/";
    private static final String HERE = "simulation/src/main/java/dev/baton/simulation/world/";
    private static final String PART = CORE + "engine/cycle/DutyCycle.java";
    private static final String CALLS = CORE + "engine/cycle/ServiceCalls.java";
    private static final String ANSWERED = CORE + "engine/recovery/ProcessedInputs.java";
    private static final String CONCURRENT = CORE + "engine/cycle/ConcurrentCalls.java";
    private static final String RETRIES = CORE + "engine/cycle/RetryTopic.java";
    private static final String PENDING = CORE + "engine/cycle/Acknowledgements.java";
    private static final String CHAIN = CORE + "engine/ChainRun.java";
    private static final String INLET = CORE + "engine/inlet/ThreadInlet.java";
    private static final String STATE = CORE + "engine/snapshots/StatefulPart.java";
    private static final String KEYED = CORE + "engine/state/KeyedEntries.java";
    private static final String KEYED_STATES = CORE + "engine/state/KeyedStates.java";
    private static final String REQUESTS = CORE + "engine/inlet/OpenRequests.java";
    private static final String REQUEST_CALLS = CORE + "engine/writing/RequestCalls.java";
    private static final String HISTORY = CORE + "engine/RequestHistory.java";
    private static final String REPLY_READERS = CORE + "engine/ReplyReaders.java";
    private static final String SNAPSHOTS = CORE + "engine/snapshots/Snapshots.java";
    private static final String SNAPSHOT_SCAN = CORE + "engine/snapshots/SnapshotScan.java";
    private static final String MERGE_SHARE = CORE + "engine/writing/MergeShare.java";
    private static final String MERGED = CORE + "engine/writing/MergedProgress.java";
    private static final String SHARED = CORE + "engine/inlet/InletQueue.java";

    static final List<Flaw> ALL = List.of(
            // Edges of the input
            Flaw.of("identity-ignored", ANSWERED, "cause > 0 && isOther(", "cause > Long.MAX_VALUE - 1 && isOther(")
                    .rare(496),
            Flaw.of(
                            "copy-with-fewer-writers",
                            CORE + "spi/Incarnation.java",
                            "return Math.max(newest + 1, wallMillis);",
                            "return newest + 1;")
                    .rare(8623),
            Flaw.of("author-ignored", ANSWERED, "&& author.id() != known", "&& author.id() == -1")
                    .rare(245),
            Flaw.of("answers-not-said", PART, "            outlet.frames().answers(input);\n", ""),
            Flaw.of(
                            "inputs-passed-over-are-said",
                            PART,
                            "if (sequence > dropUpTo || passed.incarnation() == 0) {",
                            "if (passed != null) {")
                    .rare(18_029),
            Flaw.of("half-an-answer-counts", ANSWERED, "isComplete ? last : last - 1", "last")
                    .rare(376),
            Flaw.of(
                    "drop-one-more",
                    PART,
                    "            dropUpTo = answered.upTo();",
                    "            dropUpTo = answered.upTo() + 1;"),
            Flaw.of(
                    "drop-one-less",
                    PART,
                    "            dropUpTo = answered.upTo();",
                    "            dropUpTo = answered.upTo() - 1;"),
            Flaw.of("nothing-dropped", PART, "            dropUpTo = answered.upTo();", "            dropUpTo = 0;"),
            Flaw.of(
                    "cause-off-by-one",
                    CORE + "engine/writing/WriterOutlet.java",
                    "cause = sequence;",
                    "cause = sequence - 1;"),
            Flaw.of(
                            "cause-of-tick-off-by-one",
                            PART,
                            "Math.max(consumed, dropUpTo)",
                            "Math.max(consumed - 1, dropUpTo)")
                    .with(Rule.INVENTED),
            // Services that hold inputs
            Flaw.of(
                    "held-is-acknowledged",
                    PENDING,
                    "long last = Math.min(sequence, heldFrom - 1);",
                    "long last = sequence;"),
            Flaw.of(
                    "hold-ends-before-it-is-stored",
                    PENDING,
                    "positions[last], needed[last]",
                    "positions[last], wanted"),
            Flaw.of("held-is-sent-again", CALLS, "to = dropping;", "to = outlet;"),
            Flaw.of(
                    "nothing-comes-again",
                    CORE + "engine/recovery/Redelivery.java",
                    "if (answered <= Math.max(0, acknowledged)) {",
                    "if (answered >= 0) {"),
            Flaw.of(
                    "redelivery-ends-early",
                    CALLS,
                    "sequence >= redelivery.last()",
                    "sequence + 1 >= redelivery.last()"),
            Flaw.of("redelivery-never-ends", CALLS, "        redelivery = null;\n", ""),
            Flaw.of(
                    "held-position-off-by-one",
                    PENDING,
                    "reader.acknowledge(held[slot(last)]);",
                    "reader.acknowledge(held[slot(last + 1)]);"),
            Flaw.of("ticks-come-again-otherwise", CALLS, "            prepareAgain(sequence);\n", """
                            prepareAgain(sequence);
                            if (redelivery != null && plan.ticking() != null) {
                                context.beginTick(frame.sentNanos());
                                dropping.begin(true);
                                dropping.beginServiceTick(Cause.ofTick(sequence), frame.sentNanos());
                                plan.ticking().onTick(dropping);
                                dropping.end();
                                context.endTick();
                            }
                            """)
                    .with(Rule.REPEATED),
            // Acknowledgement
            Flaw.of("acknowledged-before-stored", PENDING, "<= storedSequence) {", "<= storedSequence + 1) {"),
            Flaw.of(
                    "acknowledged-unasked",
                    PART,
                    "pending.isEmpty() && writer.storedSequence() >= flushed",
                    "pending.isEmpty()"),
            Flaw.of(
                    "pending-notes-one-less",
                    PENDING,
                    "outputs[slot] = outputSequence;",
                    "outputs[slot] = outputSequence - 1;"),
            // Concurrent calls
            Flaw.of(
                    "unfinished-is-acknowledged",
                    CONCURRENT,
                    "taken.isEmpty() ? Long.MAX_VALUE :",
                    "true ? Long.MAX_VALUE :"),
            Flaw.of("settled-at-work", CONCURRENT, "if (!input.hasEnded || ", "if ("),
            Flaw.of("key-not-awaited", CONCURRENT, "if (before == null) {", "if (before != input) {")
                    .with(Rule.ORDER),
            Flaw.of("key-not-released", CONCURRENT, "            call(input.behind);\n", ""),
            Flaw.of(
                    "ended-call-does-not-wake",
                    CONCURRENT,
                    "ended.add(input); plan.loop().wake();",
                    "ended.add(input);"),
            // Asynchronous services
            Flaw.of(
                            "stage-that-exceeded-its-time-ends-again",
                            CONCURRENT,
                            "if (input.stage != done.stage) {",
                            "if (input.stage == done.stage && done.stage == null) {")
                    .rare(4179),
            Flaw.of(
                            "stage-is-not-cancelled-at-close",
                            CONCURRENT,
                            "        taken.stream().filter(each -> each.stage != null).forEach(ConcurrentCalls::cancel);\n",
                            "")
                    .with(Rule.LEFT_BEHIND),
            Flaw.of(
                    "stage-is-not-awaited",
                    CONCURRENT,
                    "                await(input, stage);",
                    "                callEnded(input);"),
            // Requests
            Flaw.of("reply-to-another-asker-is-taken", REQUESTS, "if (by == asker) {", "if (by != 0) {")
                    .with(Rule.REPLIED_WRONGLY)
                    .rare(243),
            Flaw.of(
                            "requests-have-one-number",
                            REQUESTS,
                            "long number = numbers.incrementAndGet();\n        InletQueue.Waiting message =\n",
                            "long number = numbers.incrementAndGet() | 1;\n        InletQueue.Waiting message =\n")
                    .with(Rule.REPLIED_WRONGLY),
            Flaw.of(
                            "filtered-request-gets-no-reply",
                            REQUEST_CALLS,
                            "mark.isSet() && out.hasNoOutput()",
                            "mark == null && out.hasNoOutput()")
                    .with(Rule.LOST),
            Flaw.of(
                            "request-given-up-before-a-restart-gets-no-reply",
                            REQUEST_CALLS,
                            "if (mark.isSet()) {\n            String text",
                            "if (mark.isSet() && thrown != null) {\n            String text")
                    .with(Rule.LOST)
                    .rare(7_624),
            Flaw.of(
                    "service-is-called-for-a-reply",
                    REQUEST_CALLS,
                    "return kind == RequestMark.MESSAGE;",
                    "return kind >= RequestMark.MESSAGE;"),
            Flaw.of(
                            "outputs-of-concurrent-calls-belong-to-no-request",
                            CALLS,
                            "requests.begin(frame);\n        try {\n            handle(outputs",
                            "try {\n            handle(outputs")
                    .with(Rule.LOST),
            Flaw.of("timeout-of-a-reply-is-not-cancelled", REQUESTS, "            request.timer.cancel(false);\n", "")
                    .with(Rule.LEFT_BEHIND),
            Flaw.of(
                            "requests-stay-open-after-their-chain",
                            REQUESTS,
                            "if (each.queue() == queue) {",
                            "if (why == null) {")
                    .with(Rule.LEFT_BEHIND)
                    .rare(855),
            Flaw.of(
                            "reader-of-replies-is-not-forgotten",
                            REPLY_READERS,
                            "transport.forgetConsumer(topic, consumer);",
                            "transport.topics();")
                    .with(Rule.LEFT_BEHIND),
            Flaw.of(
                            "requests-that-fail-to-open-leave-a-reader",
                            REPLY_READERS,
                            "Failures.after(failure, opened::close);",
                            "RunningChain.closeAll(opened.readers, CLOSE_LIMIT);")
                    .rare(23_164)
                    .with(Rule.LEFT_BEHIND),
            // Resends of requests
            Flaw.of(
                            "resend-is-sent",
                            REQUESTS,
                            "isFirst ? refusal(queue, message) : over(queue)",
                            "refusal(queue, message)")
                    .with(Rule.REPEATED),
            Flaw.of("requests-of-earlier-starts-are-not-known", HISTORY, "requests::sent));", "frame -> {}));")
                    .with(Rule.REPEATED),
            Flaw.of(
                    "newest-request-is-not-known",
                    HISTORY,
                    "newest = inspector.newestSequence();",
                    "newest = inspector.newestSequence() - 1;"),
            Flaw.of(
                            "replies-of-earlier-starts-are-not-known",
                            HISTORY,
                            "requests.stored(message.of(frame, frame.head()));",
                            "")
                    .with(Rule.LOST),
            Flaw.of(
                            "reader-of-earlier-requests-is-not-forgotten",
                            HISTORY,
                            "        } finally {\n",
                            "        } finally {\n            history.opened.clear();\n")
                    .with(Rule.LEFT_BEHIND),
            // Retries per key
            Flaw.of(
                            "set-aside-is-not-stored",
                            RETRIES,
                            "if (writer.storedSequence() < asideNumber) {",
                            "if (asideNumber < 0) {")
                    .rare(775),
            Flaw.of("batch-is-not-stored", RETRIES, "if (writer.storedSequence() < recorded) {", "if (recorded < 0) {")
                    .rare(4510),
            Flaw.of(
                            "set-aside-is-not-answered",
                            ANSWERED,
                            "if (aside != null && isNewer(",
                            "if (aside == end && isNewer(")
                    .rare(455),
            Flaw.of("batch-counts-whole", RETRIES, "remove(newest, outputsAtOpen)", "remove(newest, Long.MAX_VALUE)")
                    .rare(1_397),
            Flaw.of("batch-counts-never", RETRIES, "remove(newest, outputsAtOpen)", "remove(newest, -1)")
                    .rare(2448),
            Flaw.of(
                            "batch-is-not-corrected",
                            RETRIES,
                            "isCorrecting = EACH * answered.size() < newest.length() - AT_INPUTS;",
                            "")
                    .rare(1397),
            Flaw.of(
                            "key-of-set-aside-passes",
                            RETRIES,
                            "if (keys.containsKey(key == null ? NO_KEY : key)) {",
                            "if (keys.isEmpty()) {")
                    .with(Rule.ORDER),
            Flaw.of(
                            "retries-count-as-read-without-a-frame",
                            RETRIES,
                            "if (!isLoaded && readUpTo >= lastAtOpen) {",
                            "if (!isLoaded && (readUpTo >= lastAtOpen || needsMark)) {")
                    .rare(5_848),
            Flaw.of("set-aside-is-acknowledged", RETRIES, "isLoaded && !open.containsKey(number)", "isLoaded"),
            // Failures
            Flaw.of(
                            "failed-chain-goes-on",
                            CORE + "engine/Section.java",
                            "            stop();\n            return 0;",
                            "            stop();")
                    .with(Rule.FAILED_RUNS)
                    .rare(112),
            Flaw.of(
                            "failed-preparation-not-removed",
                            CORE + "engine/SectionOpening.java",
                            "newest != Step.PREPARE && step.isCompletedExceptionally()",
                            "step.isCompletedExceptionally()")
                    .with(Rule.LEFT_BEHIND),
            Flaw.of(
                            "slow-open-not-removed",
                            CORE + "engine/SectionOpening.java",
                            "removed = loop.remove(section);",
                            "removed = CompletableFuture.completedFuture(null);")
                    .with(Rule.LEFT_BEHIND),
            Flaw.of(
                            "rewind-forgotten",
                            CORE + "engine/writing/FrameWriter.java",
                            "        writer.rewind(before);\n",
                            "")
                    .rare(50),
            Flaw.of(
                            "abort-forgotten",
                            CORE + "engine/writing/WriterOutlet.java",
                            "        claim.abort();\n        frames.rollBack(before);\n",
                            "        frames.rollBack(before);\n")
                    .rare(12),
            Flaw.of("retries-not-reset", CALLS, "        attempts = 0;\n        isUsual", "        isUsual")
                    .rare(140),
            Flaw.of(
                    "retry-is-skip",
                    CALLS,
                    "                again(thrown);\n                yield false;",
                    "                again(thrown);\n                yield true;"),
            Flaw.of("failed-is-consumed", CALLS, "if (isSkipped(thrown)) {", "if (isSkipped(thrown) | true) {"),
            Flaw.of(
                            "dead-letter-keeps-attempts",
                            CALLS,
                            "if (isSkipped(thrown)) { passedOver(sequence);",
                            "if (isSkipped(thrown)) {")
                    .rare(4172),
            Flaw.of(
                            "letter-not-awaited",
                            CORE + "engine/cycle/DeadLetterTopic.java",
                            "written == 0 || writer.storedSequence() < written",
                            "written == 0")
                    .rare(326),
            Flaw.of(
                    "failed-open-not-closed",
                    CORE + "engine/loop/Loop.java",
                    "            closeQuietly(task, failure);\n",
                    ""),
            Flaw.of(
                            "prepared-open-not-withdrawn",
                            CORE + "engine/writing/PendingOpens.java",
                            "                each.withdraw();\n",
                            "")
                    .with(Rule.LEFT_BEHIND),
            Flaw.of(
                    "connection-not-closed",
                    CORE + "engine/loop/LoopConnections.java",
                    "                    shared.connection.close();\n",
                    ""),
            // Closing
            Flaw.of(
                    "drained-at-once",
                    CORE + "engine/cycle/Part.java",
                    "drainedAt() == Upstream.NOT_YET && isDrained()",
                    "drainedAt() == Upstream.NOT_YET"),
            Flaw.of(
                    "drained-one-early",
                    CORE + "engine/cycle/InputEnd.java",
                    "NOT_YET && consumed >= last;",
                    "NOT_YET && consumed >= last - 1;"),
            Flaw.of("inlet-ends-one-early", INLET, "drainedAt = sent; //", "drainedAt = sent - 1; //"),
            Flaw.of(
                            "closed-inlet-asks-its-writer",
                            INLET,
                            "disconnect();\n            } else",
                            "disconnect();\n                outlet.writer().storedSequence();\n            } else")
                    .with(Rule.CONFINED),
            Flaw.of(
                    "inlet-not-stopped",
                    CHAIN,
                    "            inlet.stop();\n        }\n        state.beginClosing();",
                    "            inlet.drainedAt();\n        }\n        state.beginClosing();"),
            Flaw.of(
                    "deadline-is-drained",
                    CHAIN,
                    "return wasDrained || state.failure() != null || waitsForCaller();",
                    "wasDrained = state.failure() == null;\n        return true;"),
            Flaw.of(
                            "no-deadline",
                            CORE + "engine/Closing.java",
                            "!haveSettled(closing) && environment.nanoTime() - deadlineNanos < 0",
                            "!haveSettled(closing)")
                    .rare(159),
            Flaw.of(
                            "drained-where-unknown",
                            CORE + "engine/cycle/InputEnd.java",
                            "last != Upstream.NOT_YET && hasFoundNothing;",
                            "last != Upstream.NOT_YET;")
                    .rare(944)
                    .with(Rule.LOST),
            Flaw.of("refused-is-nothing", PART, "isRefused = true;", "")
                    .rare(944)
                    .with(Rule.LOST),
            Flaw.of("close-waits-for-slow-inlet", INLET, " && !isLeftToOwner()) {", ") {")
                    .rare(40_495),
            Flaw.of(
                            "partitions-given-up-one-by-one",
                            CORE + "engine/AssignedPartitions.java",
                            "Closing.together(given.values(), revokeTimeout.toNanos(), environment);",
                            """
                            long end = environment.nanoTime() + revokeTimeout.toNanos();
                            given.values().forEach(each -> each.close(
                                    Duration.ofNanos(Math.max(0, end - environment.nanoTime()))));""")
                    .with(Rule.OVERDUE)
                    .rare(159),
            Flaw.of(
                    "loops-not-stopped",
                    CORE + "engine/loop/LoopPool.java",
                    "        for (Running each : stopping) {\n            each.loop().stop();\n        }\n",
                    ""),
            Flaw.of(
                    "partition-not-closed",
                    CORE + "engine/AssignedPartitions.java",
                    "Closing.together(given.values(), revokeTimeout.toNanos(), environment);",
                    "Closing.together(given.values().stream().skip(1).toList(), revokeTimeout.toNanos(), environment);"),
            Flaw.of(
                            "first-partitions-stay-open",
                            CORE + "engine/ChainRun.java",
                            "            close(Duration.ZERO);\n",
                            "")
                    .rare(1_016),
            // Entrances
            Flaw.of("source-not-flushed", CORE + "engine/inlet/SourcePart.java", "        writer.flush();\n", ""),
            Flaw.of(
                            "source-publishes-and-throws",
                            CORE + "engine/inlet/SourcePart.java",
                            "outlet.rollBack(before);",
                            "outlet.writer().flush();")
                    .with(Rule.INVENTED)
                    .rare(109),
            Flaw.of(
                    "inlet-ring-skips-a-message",
                    CORE + "engine/inlet/StagingRing.java",
                    "TAKEN.setRelease(this, sequence);",
                    "TAKEN.setRelease(this, sequence < end ? sequence + 1 : sequence);"),
            Flaw.of("inlet-not-flushed", INLET, "outlet.writer().flush();\n        if (next", "if (next"),
            Flaw.of(
                    "shared-loses-the-next",
                    CORE + "engine/inlet/SharedSource.java",
                    "int sent = 0;\n        for (next = next == null ? inlet.poll() : next;",
                    "int sent = 0;\n        for (next = inlet.poll();"),
            Flaw.of(
                    "shared-is-not-holding",
                    CORE + "engine/inlet/SharedSource.java",
                    "next != null || inlet.isWaiting()",
                    "next != null"),
            Flaw.of("shared-does-not-wake", SHARED, "        wakeLoop.run();\n", ""),
            Flaw.of("inlet-does-not-wake", INLET, "nextLoop.wake();", "nextLoop.isManual();"),
            Flaw.of(
                            "source-does-not-wake",
                            CORE + "engine/inlet/SourcePart.java",
                            "reader.wake();",
                            "reader.isManual();")
                    .rare(126),
            Flaw.of("stage-does-not-wake", PART, "        answer();\n        wakeNext(taken);", "        answer();")
                    .rare(113),
            Flaw.of(
                    "command-does-not-wake",
                    CORE + "engine/loop/Loop.java",
                    "            }\n            rouse();",
                    "            }"),
            // Services with state
            Flaw.of("acknowledged-by-outputs", PENDING, "isKept = true;", "isKept = false;")
                    .with(Rule.ACKNOWLEDGED_EARLY),
            Flaw.of(
                            "acknowledged-by-the-newest-snapshot",
                            SNAPSHOTS,
                            "return older == null ? SnapshotScan.NO_POSITION : older.inputPosition;",
                            "return newest == null ? SnapshotScan.NO_POSITION : newest.inputPosition;")
                    .with(Rule.ACKNOWLEDGED_EARLY),
            Flaw.of(
                            "snapshot-counts-before-it-is-stored",
                            SNAPSHOTS,
                            "scan.sequence() >= ended && writer.storedSequence() >= ended",
                            "scan.sequence() >= ended")
                    .with(Rule.ACKNOWLEDGED_EARLY),
            Flaw.of(
                            "snapshots-are-trimmed-too-far",
                            SNAPSHOTS,
                            "older != null && older.base.whole.before() != SnapshotScan",
                            "newest != null && newest.base.whole.before() != SnapshotScan",
                            "reader.acknowledge(older.base.whole.before());",
                            "reader.acknowledge(newest.base.whole.before());")
                    .with(Rule.ACKNOWLEDGED_EARLY),
            Flaw.of(
                            "snapshot-is-ahead-of-outputs",
                            CORE + "engine/snapshots/SnapshotWriting.java",
                            "waiting.isEmpty() && storedOutput >= of.output()",
                            "waiting.isEmpty()")
                    .with(Rule.ACKNOWLEDGED_EARLY),
            Flaw.of(
                            "torn-snapshot-is-kept",
                            SNAPSHOT_SCAN,
                            "checksum.reset();\n                chunks = new ArrayList<>();",
                            "checksum.reset();")
                    .with(Rule.DIVERGED)
                    .rare(797),
            Flaw.of(
                            "damaged-snapshot-counts",
                            SNAPSHOT_SCAN,
                            "!isKeeping || end.content().checksum() == (int) checksum.getValue()",
                            "isKeeping || !isKeeping")
                    .with(Rule.DIVERGED)
                    .rare(2_508),
            Flaw.of("state-gets-its-inputs-again", STATE, "cycle.passOver(restored.input(), ", "cycle.passOver(0, ")
                    .with(Rule.DIVERGED),
            Flaw.of("outputs-behind-a-snapshot-come-again", STATE, "if (stored > 0 &&", "if (stored < 0 &&")
                    .with(Rule.REPEATED),
            Flaw.of(
                    "one-output-less-is-dropped",
                    STATE,
                    "RedriveMark.ownOutputs(writer) - before",
                    "RedriveMark.ownOutputs(writer) - 1 - before"),
            Flaw.of(
                            "inputs-while-a-state-is-saved",
                            STATE,
                            "if (snapshots.isSaving() || isRecounted && snapshots.isWriting()) {",
                            "if (work < 0) {")
                    .rare(599),
            Flaw.of(
                            "snapshot-while-inputs-come-again",
                            STATE,
                            "!cycle.isPassingOver() && !cycle.isRedelivering()",
                            "!cycle.isPassingOver()")
                    .rare(1_079),
            // Keyed state
            Flaw.of(
                            "removed-key-is-not-saved",
                            KEYED,
                            "boolean isRecorded = isInSnapshot(entry);",
                            "boolean isRecorded = entry == null;")
                    .with(Rule.DIVERGED)
                    .rare(380),
            Flaw.of(
                            "replaced-value-is-not-saved",
                            KEYED,
                            "if (cursor != ends && entry.epoch <= cut",
                            "if (cursor == null && entry.epoch <= cut")
                    .with(Rule.DIVERGED)
                    .rare(1_534),
            Flaw.of("restored-values-are-in-wrong-order", KEYED, "entry.linkBefore(anchor);", "entry.linkBefore(ends);")
                    .with(Rule.DIVERGED)
                    .rare(380),
            Flaw.of(
                            "value-is-written-with-a-later-one",
                            KEYED,
                            "since = isWhole ? NEVER : epoch - 1;",
                            "since = isWhole ? NEVER : epoch;")
                    .with(Rule.DIVERGED)
                    .rare(148),
            Flaw.of("failed-call-changes-state", KEYED_STATES, "            undoing.forEach(Runnable::run);\n", "")
                    .with(Rule.DIVERGED),
            Flaw.of(
                            "changes-are-restored-without-base",
                            SNAPSHOTS,
                            "each = each.previous) {\n            parts",
                            "each = null) {\n            parts")
                    .with(Rule.DIVERGED)
                    .rare(148),
            // Merges and branches
            Flaw.of(
                            "merge-knows-one-input-at-reopening",
                            MERGED,
                            "System.arraycopy(newest, 0, bytes, 0, bytes.length);",
                            "System.arraycopy(newest, 0, bytes, 0, FIRST + EACH);")
                    .with(Rule.REPEATED),
            Flaw.of(
                    "merged-frame-does-not-contain-itself",
                    MERGE_SHARE,
                    "progress.set(index, frame.cause(), input);\n        progress.write(frame, at);",
                    "progress.write(frame, at);\n        progress.set(index, frame.cause(), input);"),
            Flaw.of(
                    "merge-takes-causes-of-all",
                    MERGE_SHARE,
                    "merged.writer().found().of(progress.sequence(index), progress.input(index));",
                    "merged.writer().found();"),
            Flaw.of(
                            "merge-forgets-which-topics",
                            MERGED,
                            "new InputRef(view.getLong(at(input) + TOPIC), view.getLong(at(input) + INCARNATION))",
                            "InputRef.UNKNOWN")
                    .rare(245),
            Flaw.of("merged-frame-names-the-first-input", MERGED, "bytes[0] = (byte) input;", "bytes[0] = 0;"),
            Flaw.of(
                            "foreign-end-is-counted-from-zero",
                            CORE + "engine/cycle/ForeignEnd.java",
                            "if (backlog > 0 && consumed",
                            "if (backlog < 0 && consumed")
                    .with(Rule.LOST)
                    .rare(4460),
            Flaw.of(
                    "branch-takes-all",
                    CORE + "engine/plan/ForeignTopic.java",
                    "if (passes.test(in)) {",
                    "if (in != null) {"),
            // Owners
            Flaw.of(
                    "replaced-writer-counts",
                    CORE + "spi/support/FencingRule.java",
                    "if (id == owner) {",
                    "if (id != 0) {"),
            Flaw.of(
                    "first-writer-stays",
                    CORE + "spi/support/FencingRule.java",
                    "        owner = id;\n        return true;",
                    "        owner = owner == 0 ? id : owner;\n        return true;"),
            Flaw.of(
                            "frames-of-replaced-writer-are-stored",
                            HERE + "SimWriter.java",
                            "if (counts && sequence > stored",
                            "if (sequence > stored")
                    .with(Rule.ACKNOWLEDGED_EARLY)
                    .rare(396),
            Flaw.of(
                    "second-reader-let-in",
                    HERE + "SimReader.java",
                    "world.setting.isExclusive && !consumer.live.isEmpty()",
                    "consumer == null"),
            Flaw.of(
                    "second-writer-let-in",
                    HERE + "SimWriter.java",
                    "world.setting.isExclusive && !topic.writers.isEmpty()",
                    "topic == null"),
            // Storage
            Flaw.of(
                            "sync-leaves-out-earlier-frames",
                            HERE + "SimWriter.java",
                            "topic.stored = Math.max(topic.stored, size);",
                            "topic.stored = endsFlush && size == topic.stored + 1 ? size : topic.stored;")
                    .rare(10698)
                    .with(Rule.LOST),
            Flaw.of(
                            "failed-sync-is-confirmed",
                            HERE + "SimWriter.java",
                            "? failed\n",
                            "? null\n",
                            "if (hasFailed()) {\n",
                            "if (hasFailed()) {\n                    heard(sequence, counts);\n")
                    .rare(10_997)
                    .with(Rule.LOST),
            Flaw.of(
                    "flipped-position-is-followed",
                    HERE + "SimTopic.java",
                    "flipped < 0 ? position : older",
                    "flipped < 0 ? position : flipped"),
            Flaw.of(
                            "damage-is-taken-for-a-torn-end",
                            HERE + "SimTopic.java",
                            "if (isDamaged || log.size() < remembered) {",
                            "if (log.size() < remembered) {")
                    .rare(668),
            Flaw.of(
                            "end-of-topic-is-not-remembered",
                            HERE + "SimTopic.java",
                            "if (isDamaged || log.size() < remembered) {",
                            "if (isDamaged) {")
                    .rare(426),
            Flaw.of(
                            "end-of-dead-letters-is-not-remembered",
                            HERE + "SimTopic.java",
                            "if (isDamaged || log.size() < remembered) {",
                            "if (isDamaged || log.size() < remembered && !name.contains(\".dead-letters\")) {")
                    .rare(25895)
                    .with(Rule.LOST));

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
