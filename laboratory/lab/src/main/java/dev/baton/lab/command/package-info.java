/**
 * What the commands of studies share: their options, how they run and report, and a matrix of any of them. The two commands
 * that belong to no study, {@code report} and {@code doctor}, are here as well.
 */
package dev.baton.lab.command;
