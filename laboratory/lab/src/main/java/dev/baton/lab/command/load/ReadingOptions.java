package dev.baton.lab.command.load;

import dev.baton.lab.engines.ReferenceEngine;
import dev.baton.lab.request.Load;
import dev.baton.lab.request.Load.LatencyFrom;
import dev.baton.operations.line.Checks;
import java.util.List;
import picocli.CommandLine.Option;

/** The begin of the latencies by which instances are judged: options of commands that run reference engines. */
public final class ReadingOptions {
    @Option(
            names = "--latency-from",
            paramLabel = "slot|send",
            defaultValue = "slot",
            description =
                    "start of the latencies by which instances are judged: slot (when a message was due) or send (when it was sent, as in many published figures; for reference engines only); both are printed (default: slot)")
    private String from;

    /**
     * Returns the load with this begin.
     *
     * @throws dev.baton.operations.line.CommandException for an unknown word, for Baton's engine, and at saturation
     */
    public Load of(Load load, List<String> engines) {
        if (Checks.known("--latency-from", from, List.of(LatencyFrom.SLOT, LatencyFrom.SEND)) == LatencyFrom.SLOT) {
            return load;
        }
        Checks.require(
                engines.stream().allMatch(ReferenceEngine::isReference),
                "--latency-from send omits the delay of a late sender (coordinated omission): it is there to read a"
                        + " reference engine as studies read theirs; name one with --engine reference, or omit it, as both"
                        + " readings are printed anyway");
        Checks.require(
                !load.isSaturated(),
                "--latency-from: at --rate max latencies run from the send anyway; omit it, or name a rate");
        return load.readFrom(LatencyFrom.SEND);
    }
}
