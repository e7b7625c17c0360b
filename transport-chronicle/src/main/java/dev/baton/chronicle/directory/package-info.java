/**
 * The directories of topics, and Baton's own files in them: the history of a topic and the retention of a directory.
 * Internal; the transport, the open queues and the administration call it. It uses {@code format}, {@code platform} and the
 * options.
 */
package dev.baton.chronicle.directory;
