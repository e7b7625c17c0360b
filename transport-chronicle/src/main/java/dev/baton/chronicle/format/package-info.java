/**
 * The private file format of Chronicle Queue {@value dev.baton.chronicle.format.QueueFormat#VERSION}, as far as Baton reads,
 * checks or repairs files past the library, and the layout of the excerpts that Baton stores. {@link
 * dev.baton.chronicle.format.QueueFormat} is the way in: it does nothing past a library of another version.
 *
 * <p>To move to another version: change {@link dev.baton.chronicle.format.QueueFormat#VERSION}. QueueFormatTest then compares
 * what that library writes with what this package reads, field by field. Knows nothing of the transport.
 */
package dev.baton.chronicle.format;
