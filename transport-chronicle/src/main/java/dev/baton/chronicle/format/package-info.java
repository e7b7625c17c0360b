/**
 * The file format of Chronicle Queue, as far as Baton reads or repairs files without the library, and the layout of the
 * excerpts that Baton stores. Knows nothing of the transport.
 */
package dev.baton.chronicle.format;
