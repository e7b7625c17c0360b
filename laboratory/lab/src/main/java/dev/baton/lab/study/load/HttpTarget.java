package dev.baton.lab.study.load;

import dev.baton.lab.study.load.LoadStudy.Method;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.URI;

/**
 * Whom HTTP clients ask, and how. Immutable, thread-safe.
 *
 * @param isOurs whether an answer has to be the body that was sent
 * @param bodyBytes of a request's body, which is its number and as many dots as are missing
 * @param clients that ask at the same time, a connection each
 */
record HttpTarget(URI uri, Method method, boolean isOurs, int bodyBytes, int clients) {
    /** {@return whether requests contain their number: a GET has no body, and a foreign server gets the given address} */
    boolean hasBody() {
        return method == Method.POST || isOurs;
    }

    /** {@return the text of a request before its body} */
    String beforeBody(int length) {
        String path = uri.getRawPath() == null || uri.getRawPath().isEmpty() ? "/" : uri.getRawPath();
        String query = uri.getRawQuery() == null ? "" : "?" + uri.getRawQuery();
        return switch (method) {
            case POST ->
                "POST " + path + query + head() + "Content-Type: text/plain\r\nContent-Length: " + length + "\r\n\r\n";
            case GET -> isOurs ? "GET " + path + "?" : "GET " + path + query;
        };
    }

    /** {@return the text of a request after its body} */
    String afterBody() {
        return method == Method.GET ? head() + "\r\n" : "";
    }

    private String head() {
        return " HTTP/1.1\r\nHost: " + uri.getAuthority() + "\r\n";
    }

    /** Writes the target for another process. */
    void write(DataOutputStream out) throws IOException {
        out.writeUTF(uri.toString());
        out.writeUTF(method.name());
        out.writeBoolean(isOurs);
        out.writeInt(bodyBytes);
        out.writeInt(clients);
    }

    /** Reads a target that {@link #write} wrote. */
    static HttpTarget read(DataInputStream in) throws IOException {
        return new HttpTarget(
                URI.create(in.readUTF()), Method.valueOf(in.readUTF()), in.readBoolean(), in.readInt(), in.readInt());
    }
}
