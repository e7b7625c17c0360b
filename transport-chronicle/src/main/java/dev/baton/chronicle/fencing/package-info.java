/**
 * The lock that gives a topic one writer across processes, and the deletion of topics that no process uses. Internal;
 * {@code writing} and the transport call it. It uses {@code consumers}, {@code directory}, {@code format}, {@code log} and
 * {@code platform}.
 */
package dev.baton.chronicle.fencing;
