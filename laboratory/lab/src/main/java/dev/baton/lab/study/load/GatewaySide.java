package dev.baton.lab.study.load;

import dev.baton.examples.gateway.HttpGateway;
import dev.baton.lab.request.Place.Spread;
import dev.baton.lab.request.PlacedTrial;
import dev.baton.lab.request.TrialPlan;
import dev.baton.lab.results.Outcome;
import dev.baton.lab.trial.Transports;
import dev.baton.lab.trial.TrialChains;
import dev.baton.measuring.data.TransportProperties;
import dev.baton.operations.line.CommandException;
import dev.baton.run.Loops;
import dev.baton.spi.Transport;
import java.io.IOException;
import java.net.URI;
import java.util.Optional;

/** The example's gateway before a chain over the plan's transport, in this JVM. Threads as in {@link HttpServerSide}. */
final class GatewaySide implements HttpServerSide {
    private final Transport transport;
    private final Loops loops;
    private final HttpGateway gateway;
    private final boolean isKept;
    private boolean isStopped;
    private boolean isClosed;

    private GatewaySide(Transport transport, Loops loops, HttpGateway gateway, boolean isKept) {
        this.transport = transport;
        this.loops = loops;
        this.gateway = gateway;
        this.isKept = isKept;
    }

    /** Opens transport, chain and gateway; on failure nothing is left open. */
    static GatewaySide open(PlacedTrial trial) {
        TrialPlan plan = trial.plan();
        Loops loops = TrialChains.loops(plan);
        Transport transport = null;
        try {
            transport = Transports.open(trial);
            HttpGateway gateway = HttpGateway.open(
                    transport,
                    loops,
                    Spread.uniqueChain(),
                    plan.shape().services(),
                    0,
                    plan.load().concurrency());
            int body = Math.max(HttpConnection.NUMBER_DIGITS, plan.shape().payloadBytes());
            if (body > gateway.mostBody()) {
                gateway.close();
                throw CommandException.usage("a body of " + body + " bytes; the gateway takes up to "
                        + gateway.mostBody() + " over this transport");
            }
            return new GatewaySide(transport, loops, gateway, trial.place().isKept());
        } catch (IOException | RuntimeException refused) {
            loops.close();
            if (transport != null) {
                transport.close();
            }
            throw refused instanceof RuntimeException known
                    ? known
                    : CommandException.environment("cannot listen: " + refused.getMessage(), refused);
        }
    }

    @Override
    public URI uri() {
        return gateway.uri();
    }

    @Override
    public TransportProperties properties() {
        return Transports.properties(transport);
    }

    @Override
    public boolean isOurs() {
        return true;
    }

    @Override
    public Optional<String> failure() {
        return Optional.ofNullable(gateway.failure()).map(cause -> Outcome.stop("the chain", cause));
    }

    @Override
    public void stop() {
        if (!isStopped) {
            isStopped = true;
            gateway.close();
            loops.close();
        }
    }

    @Override
    public void close() {
        stop();
        if (!isClosed) {
            isClosed = true;
            try {
                if (!isKept) {
                    transport.deleteTopics(gateway.topics());
                }
            } finally {
                transport.close();
            }
        }
    }
}
