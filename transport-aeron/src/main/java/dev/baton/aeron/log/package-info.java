/**
 * Frames in the log of a publication: the layout of a fragment, the writer that stages a batch and copies it into fragments, and the
 * reader that hands frames over in place. Internal: the writers and readers of all transports extend it. It may use the SPI,
 * Aeron's client and the options.
 */
package dev.baton.aeron.log;
