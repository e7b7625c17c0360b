package dev.baton.lab.trial;

import dev.baton.lab.engines.ReferenceEngine;
import dev.baton.lab.request.TrialPlan;
import dev.baton.lab.trial.Event.Kind;
import dev.baton.measuring.rig.ChainRig;
import dev.baton.operations.settings.LoopPlan;
import dev.baton.operations.settings.Subject;
import dev.baton.spi.Transport;
import dev.baton.spi.TransportException;
import java.util.List;

/** The engines that a trial can put between its generators and its receivers, by name. Stateless, thread-safe. */
public final class Engines {
    private static final List<String> NAMES = List.of(Subject.BATON, Subject.REFERENCE, Subject.REFERENCE_ARTICLE);

    private Engines() {}

    /** All names, Baton's own first. */
    public static List<String> names() {
        return NAMES;
    }

    /**
     * The threads that an engine runs when these were asked for: Baton the same, the reference loops always one for each
     * service, with no latency budget.
     */
    public static LoopPlan threads(String engine, LoopPlan asked) {
        return isReference(engine) ? new LoopPlan(LoopPlan.PER_SERVICE, asked.idle(), 0) : asked;
    }

    /**
     * Finds out before anything is opened whether there is such an engine for this transport, and whether it can idle as
     * asked.
     *
     * @throws TrialFailure that lists the known ones when not
     */
    public static void check(Subject subject, LoopPlan loops) {
        if (!NAMES.contains(subject.engine())) {
            throw new TrialFailure(
                    Kind.USAGE, "unknown engine '" + subject.engine() + "'; known: " + String.join(", ", NAMES));
        }
        if (isReference(subject.engine())) {
            try {
                ReferenceEngine.check(subject, loops);
            } catch (IllegalArgumentException refused) {
                throw new TrialFailure(Kind.USAGE, refused.getMessage(), refused);
            }
        }
    }

    /** Opens the engine and the transport that a plan names. May block; on failure nothing is left open. */
    public static ChainRig open(Instruments instruments) {
        TrialPlan plan = instruments.plan();
        check(plan.subject(), plan.loops());
        return isReference(plan.subject().engine()) ? openReference(plan) : BatonRig.open(instruments);
    }

    private static boolean isReference(String engine) {
        return engine.equals(Subject.REFERENCE) || engine.equals(Subject.REFERENCE_ARTICLE);
    }

    private static ChainRig openReference(TrialPlan plan) {
        Transport transport = Transports.open(plan);
        try {
            return ReferenceEngine.open(
                    plan,
                    transport,
                    Transports.named(plan.subject().transport()).options());
        } catch (IllegalArgumentException | TransportException refused) {
            transport.close();
            throw new TrialFailure(
                    refused instanceof TransportException ? Kind.ENVIRONMENT : Kind.USAGE,
                    refused.getMessage(),
                    refused);
        } catch (RuntimeException ours) {
            transport.close();
            throw ours;
        }
    }
}
