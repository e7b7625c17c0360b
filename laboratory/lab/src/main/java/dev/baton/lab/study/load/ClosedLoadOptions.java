package dev.baton.lab.study.load;

import static dev.baton.operations.line.Checks.require;

import dev.baton.lab.command.TrialOptions;
import dev.baton.lab.request.Load;
import dev.baton.lab.study.load.LoadStudy.Method;
import dev.baton.operations.line.Checks;
import dev.baton.operations.line.CommandException;
import java.math.BigDecimal;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import picocli.CommandLine.Option;

/** The options of a closed loop: the number of clients of one chain, HTTP, and the duration. */
final class ClosedLoadOptions extends TrialOptions {
    private static final Duration QUICK_DURATION = Duration.ofSeconds(4);

    @Option(
            names = "--concurrency",
            paramLabel = "N",
            defaultValue = "50",
            description = "requests that are always in flight, 1 to " + Load.MOST_CONCURRENCY
                    + "; each client sends its next when its answer is there (default: 50)")
    private BigDecimal concurrency;

    @Option(
            names = "--http",
            description =
                    "requests over HTTP: Example03HttpGateway before the chain, one kept-alive connection for each"
                            + " client")
    private boolean http;

    @Option(
            names = "--clients",
            paramLabel = "WHERE",
            description =
                    "where the clients of --http run: process (a JVM of their own, as in the study: --memory holds the"
                            + " server alone) or server (the server's JVM) (default: process)")
    private String clients;

    @Option(
            names = "--method",
            paramLabel = "METHOD",
            description = "requests over HTTP: POST (the body is a number of 16 digits and as many dots as --payload"
                    + " asks for) or GET (with --http the same behind the question mark, with --url the address as"
                    + " it is) (default: POST)")
    private String method;

    @Option(
            names = "--url",
            paramLabel = "URL",
            description = "requests over HTTP to a server that runs already, such as http://127.0.0.1:8080/")
    private String url;

    Load load() {
        return Load.closed(Checks.integer("--concurrency", concurrency, 1, Load.MOST_CONCURRENCY), seed());
    }

    @Override
    public Duration quickDuration() {
        return QUICK_DURATION;
    }

    LoadStudy.Way way() {
        require(!http || url == null, "--http starts a server and --url names one; leave one of them out");
        return url != null ? LoadStudy.Way.URL : http ? LoadStudy.Way.GATEWAY : LoadStudy.Way.CHAIN;
    }

    /** Null where clients have no choice. */
    Boolean isApart() {
        require(clients == null || http, "--clients says where the clients of --http run; leave one of them out");
        require(
                clients == null || clients.equals("process") || clients.equals("server"),
                "--clients '" + clients + "' is not known; process or server");
        return http ? Boolean.valueOf(!"server".equals(clients)) : null;
    }

    /** Null for POST, and where there are no requests over HTTP. */
    Method method() {
        require(
                method == null || way() != LoadStudy.Way.CHAIN,
                "--method is one of requests over HTTP; leave it out, or add --http or --url");
        require(
                method == null || method.equals("POST") || method.equals("GET"),
                "--method '" + method + "' is not known; GET or POST");
        return "GET".equals(method) ? Method.GET : null; // as in the results of those who typed nothing
    }

    /** {@return the address; null when it was not given} */
    String url() {
        if (url == null) {
            return null;
        }
        try {
            URI uri = new URI(url);
            require("http".equals(uri.getScheme()) && uri.getHost() != null, malformed());
            return url;
        } catch (URISyntaxException not) {
            throw CommandException.usage(malformed());
        }
    }

    private String malformed() {
        return "--url '" + url + "' is not allowed; http://HOST:PORT/PATH, without encryption";
    }
}
