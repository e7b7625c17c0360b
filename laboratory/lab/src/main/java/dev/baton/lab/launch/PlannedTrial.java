package dev.baton.lab.launch;

import dev.baton.lab.launch.jvm.InstalledJvm;
import dev.baton.lab.launch.jvm.JvmFlags;
import dev.baton.lab.launch.jvm.OlderJar;
import dev.baton.lab.request.Place.Meeting;
import dev.baton.lab.request.Study;
import dev.baton.lab.request.TrialPlan;
import dev.baton.operations.settings.Checksum;
import dev.baton.operations.settings.Secrets;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;

/**
 * A trial with all settings of its launch. Immutable, thread-safe.
 *
 * @param directoryOption the transport's option that gets a fresh directory; null when it has none, or the user gave it
 * @param brokers of our own that are started for it, and handed over as an option; 0: none
 * @param processes that share the instances; 1 or more
 * @param isSpread whether each service has a separate process, and the trial's has inlet and sink
 * @param elsewhere services that run already, so that the trial's process has only inlet and sink; null for none
 */
public record PlannedTrial(
        TrialPlan plan,
        InstalledJvm jvm,
        List<String> flags,
        String directoryOption,
        int brokers,
        int processes,
        boolean isSpread,
        Elsewhere elsewhere) {
    private static final int LAUNCH_BYTES = 6;

    /**
     * Services that were started elsewhere, on this host or on others. Immutable, thread-safe.
     *
     * @param chain its name, with which its topics' names begin
     * @param addresses of {@code GET /health} of the processes, as given on the command line
     */
    public record Elsewhere(String chain, List<String> addresses) {
        public Elsewhere {
            Objects.requireNonNull(chain, "chain");
            addresses = List.copyOf(addresses);
        }
    }

    public PlannedTrial {
        flags = List.copyOf(flags);
        OlderJar.require(jvm.feature(), plan.subject().engine());
        if (processes < 1 || processes > Meeting.MOST_PROCESSES) {
            throw new IllegalArgumentException("processes: " + processes + "; 1 to " + Meeting.MOST_PROCESSES);
        }
    }

    public PlannedTrial(TrialPlan plan, InstalledJvm jvm, List<String> flags, String directoryOption, int brokers) {
        this(plan, jvm, flags, directoryOption, brokers, 1, false, null);
    }

    /** {@return the beginning of the SHA-256 of all settings that the plan does not contain, without secrets} */
    String launch() {
        List<String> settings = new ArrayList<>(jvm.accepted(flags));
        settings.add(jvm.executable() + " " + jvm.libraries());
        settings.add(brokers + " " + processes + " " + isSpread + " " + elsewhere);
        byte[] text = String.join("\n", Secrets.redacted(settings)).getBytes(StandardCharsets.UTF_8);
        return HexFormat.of().formatHex(Checksum.of(text), 0, LAUNCH_BYTES);
    }

    public boolean needsBroker() {
        return brokers > 0;
    }

    /** Returns the trial with a process for each service; its own process has inlet and sink. */
    public PlannedTrial spread() {
        return new PlannedTrial(plan, jvm, flags, directoryOption, brokers, processes, true, null);
    }

    /** Returns the trial around services that run already. */
    public PlannedTrial around(Elsewhere services) {
        return new PlannedTrial(plan, jvm, flags, directoryOption, brokers, processes, false, services);
    }

    /** Returns the trial with a process for each instance; use and deliveries are added up. */
    public PlannedTrial perInstance() {
        return new PlannedTrial(
                plan, jvm, flags, directoryOption, brokers, plan.shape().instances(), false, null);
    }

    public PlannedTrial named(String id) {
        return with(plan.named(id));
    }

    public PlannedTrial asking(Study question) {
        return with(plan.asking(question));
    }

    /** Returns the trial with all of its heap allocated at the start, so that pages touched later are no growth. */
    public PlannedTrial withWholeHeap(String heap) {
        List<String> all = new ArrayList<>(JvmFlags.wholeHeap(heap));
        all.addAll(flags);
        return new PlannedTrial(plan, jvm, all, directoryOption, brokers, processes, isSpread, elsewhere);
    }

    /** Returns this trial with another plan. */
    public PlannedTrial with(TrialPlan other) {
        return new PlannedTrial(other, jvm, flags, directoryOption, brokers, processes, isSpread, elsewhere);
    }
}
