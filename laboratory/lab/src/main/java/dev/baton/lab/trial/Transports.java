package dev.baton.lab.trial;

import dev.baton.lab.request.PlacedTrial;
import dev.baton.measuring.data.TransportProperties;
import dev.baton.operations.line.CommandException;
import dev.baton.operations.line.ForeignJars;
import dev.baton.operations.line.KnownTransports;
import dev.baton.spi.Guarantee;
import dev.baton.spi.Transport;
import dev.baton.spi.TransportException;
import dev.baton.spi.TransportProvider;
import java.util.LinkedHashMap;
import java.util.List;

/** Finds transports on the class path. */
public final class Transports {
    private Transports() {}

    /** @throws CommandException naming the known ones when there is none of that name */
    public static TransportProvider named(String name) {
        return KnownTransports.onClassPath().select(List.of(name)).get(0);
    }

    /** Opens a trial's transport; every refusal becomes a {@link CommandException} of the right kind. */
    public static Transport open(PlacedTrial trial) {
        TransportProvider provider = named(trial.subject().transport());
        try {
            return carrying(
                    trial.plan().shape().payloadBytes(),
                    provider.open(trial.subject().options()));
        } catch (IllegalArgumentException refused) {
            throw CommandException.usage(refused.getMessage(), refused);
        } catch (TransportException unavailable) {
            throw CommandException.environment(unavailable.getMessage(), unavailable);
        } catch (LinkageError missing) {
            throw CommandException.environment(ForeignJars.complaint(missing), missing);
        }
    }

    /** What an open transport promises, and how it is used. */
    public static TransportProperties properties(Transport transport) {
        return new TransportProperties(
                transport.name(),
                transport.guarantees().stream().sorted().map(Guarantee::meaning).toList(),
                new LinkedHashMap<>(transport.properties()));
    }

    private static Transport carrying(int payload, Transport transport) {
        int most = transport.maxPayload();
        if (payload > most) {
            String name = transport.name();
            transport.close();
            throw CommandException.usage(
                    "a payload of " + payload + " bytes; " + name + " carries up to " + most + " as configured");
        }
        return transport;
    }
}
