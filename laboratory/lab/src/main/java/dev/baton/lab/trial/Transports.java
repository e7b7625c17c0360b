package dev.baton.lab.trial;

import dev.baton.chains.ProvidedChain;
import dev.baton.lab.engines.ReferenceEngine;
import dev.baton.lab.engines.cooperative.CooperativeRig;
import dev.baton.lab.request.PlacedTrial;
import dev.baton.lab.request.TrialPlan;
import dev.baton.lab.systems.SystemRig;
import dev.baton.lab.trial.ends.Instruments;
import dev.baton.measuring.data.TransportProperties;
import dev.baton.measuring.rig.ChainRig;
import dev.baton.operations.line.Checks;
import dev.baton.operations.line.CommandException;
import dev.baton.operations.line.ForeignJars;
import dev.baton.operations.line.KnownTransports;
import dev.baton.operations.settings.Subject;
import dev.baton.spi.Guarantee;
import dev.baton.spi.Transport;
import dev.baton.spi.TransportProvider;
import dev.baton.spi.errors.TransportException;
import dev.baton.spi.options.OptionSpec;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.function.Supplier;

/** Finds what a trial puts between its generators and its receivers: engines and transports, by name. Stateless. */
public final class Transports {
    private Transports() {}

    /**
     * {@return the provider with a name}
     *
     * @throws CommandException naming the known ones when there is none of that name
     */
    public static TransportProvider named(String name) {
        return KnownTransports.onClassPath().select(List.of(name)).get(0);
    }

    /** Opens a trial's transport; every refusal becomes a {@link CommandException} of the right kind. */
    public static Transport open(PlacedTrial trial) {
        TransportProvider provider = named(trial.subject().transport());
        Transport opened = guarded("", () -> provider.open(trial.subject().options()));
        int payload = trial.plan().shape().payloadBytes();
        int most = opened.maxPayload();
        if (payload > most) {
            String name = opened.name();
            opened.close();
            throw CommandException.usage(
                    "a payload of " + payload + " bytes; " + name + " carries up to " + most + " as configured");
        }
        return opened;
    }

    /**
     * Returns the result of a step that a transport may refuse.
     *
     * @param what consequence of a refusal, for a person
     * @throws CommandException in place of the transport's refusals, of the right kind
     */
    static <T> T guarded(String what, Supplier<T> step) {
        try {
            return Checks.allowed(what, step);
        } catch (TransportException unavailable) {
            throw CommandException.environment(what + unavailable.getMessage(), unavailable);
        } catch (LinkageError missing) {
            throw CommandException.environment(ForeignJars.complaint(missing), missing);
        }
    }

    /** {@return the guarantees and the settings of an open transport} */
    public static TransportProperties properties(Transport transport) {
        return new TransportProperties(
                transport.name(),
                transport.guarantees().stream().sorted().map(Guarantee::meaning).toList(),
                new LinkedHashMap<>(transport.properties()));
    }

    /** Opens the engine and the transport that a plan names. May block; on failure nothing is left open. */
    public static ChainRig rig(Instruments instruments) {
        return rig(instruments, null);
    }

    /** Creates the rig of a chain that a jar may provide. @param provided null for one that forwards */
    static ChainRig rig(Instruments instruments, ProvidedChain provided) {
        TrialPlan plan = instruments.plan();
        String engine = plan.subject().engine();
        if (engine.equals(Subject.BATON)) {
            return BatonRig.open(instruments, provided);
        }
        if (engine.equals(Subject.SYSTEM)) {
            return new SystemRig(instruments.trial());
        }
        return guarded("", () -> {
            ReferenceEngine.check(plan.subject(), plan.loops());
            return engine.equals(Subject.PRIMITIVE)
                    ? ReferenceEngine.primitive(plan)
                    : openReference(instruments.trial());
        });
    }

    private static ChainRig openReference(PlacedTrial trial) {
        Transport transport = open(trial);
        try {
            List<OptionSpec> options = named(trial.subject().transport()).options();
            return trial.plan().subject().engine().equals(Subject.REFERENCE_COOPERATIVE)
                    ? CooperativeRig.open(trial, transport, options)
                    : ReferenceEngine.open(trial, transport, options);
        } catch (RuntimeException refused) {
            transport.close();
            throw refused;
        }
    }
}
