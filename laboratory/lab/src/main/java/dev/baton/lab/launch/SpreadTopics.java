package dev.baton.lab.launch;

import dev.baton.lab.request.Spread;
import dev.baton.lab.request.TrialPlan;
import dev.baton.operations.line.KnownTransports;
import dev.baton.operations.settings.Subject;
import dev.baton.spi.Transport;
import java.util.ArrayList;
import java.util.List;

/** The topics of a chain that several processes have used: removed by who started these, when they have ended. */
final class SpreadTopics {
    private SpreadTopics() {}

    /** Removes those that bear the name of the plan's chain; a transport that does not let us is left as it is. */
    static void remove(TrialPlan plan) {
        Spread spread = plan.place().spread();
        try (Transport transport = open(plan.subject())) {
            List<String> ours = new ArrayList<>(transport.topics());
            ours.removeIf(name -> !name.startsWith(spread.chain() + "-"));
            transport.deleteTopics(ours);
        } catch (RuntimeException unreachable) {
            // what cannot be reached cannot be removed; the trial has said so already
        }
    }

    private static Transport open(Subject subject) {
        return KnownTransports.onClassPath()
                .select(List.of(subject.transport()))
                .get(0)
                .open(subject.options());
    }
}
