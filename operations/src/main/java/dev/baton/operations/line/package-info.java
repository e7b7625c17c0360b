/**
 * What command lines share: where they write, how they refuse, which transports there are and how these are set. The
 * laboratory's commands use it as well.
 */
package dev.baton.operations.line;
