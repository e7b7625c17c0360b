package dev.baton.lab.engines;

import java.util.concurrent.ThreadFactory;

/** Makes virtual threads where the JVM has them; the laboratory is compiled for a JDK that does not. Stateless. */
final class VirtualThreads {
    private VirtualThreads() {}

    /** @throws IllegalArgumentException on a JVM that has none */
    static Thread newThread(Runnable body, String name) {
        try {
            Object builder = Thread.class.getMethod("ofVirtual").invoke(null);
            ThreadFactory factory = (ThreadFactory) Class.forName("java.lang.Thread$Builder")
                    .getMethod("factory")
                    .invoke(builder);
            Thread thread = factory.newThread(body);
            thread.setName(name);
            return thread;
        } catch (ReflectiveOperationException missing) {
            throw new IllegalArgumentException(
                    "JDK " + Runtime.version().feature() + " has no virtual threads; JDK 21 and later do", missing);
        }
    }
}
