package dev.baton.lab.study.load;

import static dev.baton.operations.line.Checks.require;

import dev.baton.lab.command.TrialOptions;
import dev.baton.lab.request.Load;
import dev.baton.lab.study.load.LoadStudy.Method;
import dev.baton.operations.line.Checks;
import dev.baton.operations.line.CommandException;
import dev.baton.operations.line.OptionGroup;
import dev.baton.operations.line.OptionGroup.Heading;
import java.math.BigDecimal;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import picocli.CommandLine.Option;

/** The options of a closed loop: the number of clients of one chain, HTTP, and the duration. */
@OptionGroup(Heading.LOAD)
final class ClosedLoadOptions extends TrialOptions {
    private static final Duration QUICK_DURATION = Duration.ofSeconds(4);

    @Option(
            names = "--concurrency",
            paramLabel = "N",
            defaultValue = "50",
            description = {
                "requests in flight (default: 50)",
                "1 to " + Load.MOST_CONCURRENCY + "; each client sends its next request when it has received the reply"
            })
    private BigDecimal concurrency;

    @Option(
            names = "--http",
            description = {
                "send requests over HTTP",
                "the laboratory starts an HTTP server in front of the chain; each client has one keep-alive connection"
            })
    private boolean http;

    @OptionGroup(Heading.WHERE)
    @Option(
            names = "--clients",
            paramLabel = "WHERE",
            description = {
                "with --http: process or server (default: process)",
                "process: the clients have a JVM of their own, as in the study, so that --memory limits the server only; server: they share the server's JVM"
            })
    private String clients;

    @Option(
            names = "--method",
            paramLabel = "METHOD",
            description = {
                "with --http or --url: POST or GET (default: POST)",
                "the body of a POST is a number of 16 digits, padded with dots to --payload bytes; with --http, a GET has the number after the question mark; with --url, a GET uses the address unchanged"
            })
    private String method;

    @OptionGroup(Heading.WHERE)
    @Option(
            names = "--url",
            paramLabel = "URL",
            description = {"send requests to a running server over HTTP", "such as http://127.0.0.1:8080/"})
    private String url;

    Load load() {
        return Load.closed(Checks.integer("--concurrency", concurrency, 1, Load.MOST_CONCURRENCY), seed());
    }

    @Override
    public Duration quickDuration() {
        return QUICK_DURATION;
    }

    LoadStudy.Way way() {
        require(!http || url == null, "--http starts a server and --url names one; omit one of them");
        return url != null ? LoadStudy.Way.URL : http ? LoadStudy.Way.GATEWAY : LoadStudy.Way.CHAIN;
    }

    /** Returns where the clients run; null where there is no choice. */
    Boolean isApart() {
        require(clients == null || http, "--clients says where the clients of --http run; add --http, or omit it");
        require(
                clients == null || clients.equals("process") || clients.equals("server"),
                "--clients '" + clients + "' is not known; process or server");
        return http ? Boolean.valueOf(!"server".equals(clients)) : null;
    }

    /** Returns the HTTP method; null for POST, and without requests over HTTP. */
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
