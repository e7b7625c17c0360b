package dev.baton.engine.loop;

import java.util.concurrent.ThreadFactory;

/** Finds virtual threads by reflection, because this library is compiled for a JDK without them. */
final class VirtualThreads {
    private VirtualThreads() {}

    static ThreadFactory factory() {
        if (Runtime.version().feature() < 21) {
            throw new UnsupportedOperationException("virtual threads need JDK 21 or later, this is JDK "
                    + Runtime.version().feature() + "; use cooperative or threadPerService, or run a later JDK");
        }
        try {
            Object builder = Thread.class.getMethod("ofVirtual").invoke(null);
            return (ThreadFactory) Class.forName("java.lang.Thread$Builder")
                    .getMethod("factory")
                    .invoke(builder);
        } catch (ReflectiveOperationException impossible) {
            throw new UnsupportedOperationException("this JVM's virtual threads cannot be reached", impossible);
        }
    }
}
