/** Traces of messages for OpenTelemetry. */
package dev.baton.opentelemetry;
