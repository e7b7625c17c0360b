package dev.baton.lab.trial;

import dev.baton.lab.engines.EngineChoice;
import dev.baton.lab.engines.ReferenceEngine;
import dev.baton.lab.request.PlacedTrial;
import dev.baton.lab.request.TrialPlan;
import dev.baton.measuring.rig.ChainRig;
import dev.baton.operations.line.CommandException;
import dev.baton.operations.line.CommandException.Kind;
import dev.baton.spi.Transport;
import dev.baton.spi.TransportException;

/** The engines that a trial can put between its generators and its receivers, by name. Stateless, thread-safe. */
public final class Engines {
    private Engines() {}

    /** Opens the engine and the transport that a plan names. May block; on failure nothing is left open. */
    public static ChainRig open(Instruments instruments) {
        TrialPlan plan = instruments.plan();
        try {
            EngineChoice.check(plan.subject(), plan.loops());
        } catch (IllegalArgumentException refused) {
            throw CommandException.usage(refused.getMessage(), refused);
        }
        return EngineChoice.isReference(plan.subject().engine())
                ? openReference(instruments.trial())
                : BatonRig.open(instruments);
    }

    private static ChainRig openReference(PlacedTrial trial) {
        Transport transport = Transports.open(trial);
        try {
            return ReferenceEngine.open(
                    trial,
                    transport,
                    Transports.named(trial.subject().transport()).options());
        } catch (IllegalArgumentException | TransportException refused) {
            transport.close();
            throw new CommandException(
                    refused instanceof TransportException ? Kind.ENVIRONMENT : Kind.USAGE,
                    refused.getMessage(),
                    refused);
        } catch (RuntimeException ours) {
            transport.close();
            throw ours;
        }
    }
}
