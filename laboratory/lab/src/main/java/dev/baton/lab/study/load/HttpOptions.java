package dev.baton.lab.study.load;

import static dev.baton.operations.line.Checks.require;

import dev.baton.operations.line.CommandException;
import java.net.URI;
import java.net.URISyntaxException;
import picocli.CommandLine.Option;

/** Whether requests come over HTTP: options of {@code load}. */
final class HttpOptions {
    @Option(
            names = "--http",
            description =
                    "requests over HTTP: Example03HttpGateway before the chain, in the same JVM as its clients, one"
                            + " kept-alive connection each")
    private boolean http;

    @Option(
            names = "--url",
            paramLabel = "URL",
            description =
                    "requests over HTTP to a server that runs already, such as http://127.0.0.1:8080/; POST with a"
                            + " number of 16 digits as body")
    private String url;

    LoadStudy.Way way() {
        require(!http || url == null, "--http starts a server and --url names one; leave one of them out");
        return url != null ? LoadStudy.Way.URL : http ? LoadStudy.Way.GATEWAY : LoadStudy.Way.CHAIN;
    }

    /** As typed; null when it was not. */
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
